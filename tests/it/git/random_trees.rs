//! Long sequences of random edits, staging and config, each compared with git.

use super::{oracle::Lab, random::Random};
use git_rapid::git::SnapshotRequest;

const PATHS: &[&str] = &[
    "a", "b", "a.b", "a-b", "d/a", "d/b", "d/d/a", "d/d/d/a", "d.d/x", "d-d", "e/a", "e/f/a", "A",
    "x.o", "d/x.o", "w.txt", "d/w.txt", "Ü/ü",
];

/// One step as a shell line. Steps may fail: what they leave is a situation as well.
fn step(random: &mut Random) -> String {
    let path = PATHS[random.below(PATHS.len())];
    let dir = path.rsplit_once('/').map_or(".", |(dir, _)| dir);
    let text = ["1", "2", "11", "a\\r\\nb\\r\\n", "a\\n\\r\\n", ""][random.below(6)];
    match random.below(26) {
        0..8 => format!("mkdir -p {dir}; printf '{text}' >{path}"),
        8 => format!("rm -f {path}"),
        9 => format!("rm -rf {dir}/*"),
        10 => format!("rm -rf {path}; mkdir -p {path}; printf '{text}' >{path}/in"),
        11 => format!("rm -rf {path}; mkdir -p {dir}; ln -s {text}t {path}"),
        12 => format!("chmod +x {path}"),
        13 => format!("chmod -x {path}"),
        14 => format!("touch -d @1{} {path}", random.below(3)),
        15 => format!("git add {path}"),
        16 => format!("git add -N {path}"),
        17 => format!("git rm -rq --cached {path}"),
        18 => "git add -A".to_owned(),
        19 => "git add -A; git commit -qm m".to_owned(),
        20 => format!("git mv {path} moved{}", random.below(3)),
        21 => format!("printf '%s\\n' '*.o' '/{path}' '!d/x.o' >{dir}/.gitignore"),
        22 => format!(
            "printf '* text=auto\\n*.txt eol=lf\\n{} -text\\n' >.gitattributes",
            path
        ),
        23 => format!(
            "git config core.fileMode {}",
            ["true", "false"][random.below(2)]
        ),
        24 => format!("git update-index --index-version {}", 2 + random.below(3)),
        _ => [
            "git update-index --split-index",
            "git update-index --no-split-index",
            "git read-tree HEAD",
            "git write-tree",
            "git reset -q --hard",
            "git status -s",
            "git config core.autocrlf input",
            "git config core.autocrlf false",
        ][random.below(8)]
        .to_owned(),
    }
}

fn walk(format: &str, seed: u64) {
    let mut random = Random::new(seed);
    let lab = Lab::new(format, "git commit -q --allow-empty -m root");
    let mut done = Vec::new();
    for _ in 0..12 {
        for _ in 0..=random.below(6) {
            done.push(step(&mut random));
            let last = done.last().unwrap();
            lab.sh(&format!("set +e; ({last}) >/dev/null 2>&1; exit 0"));
        }
        // The one case in which git's own answer depends on the order of its reads.
        lab.sh("test -e .gitattributes || git rm -q --cached .gitattributes 2>/dev/null || true");
        let before = lab.trace();
        let got = lab.open().snapshot(&SnapshotRequest::default());
        assert!(
            lab.trace() == before,
            "seed {seed}: something was written after {done:#?}"
        );
        let expected = lab.expected(&[]);
        let tree = got.unwrap().unwrap().tree;
        assert_eq!(tree, expected, "{format}, seed {seed}, after {done:#?}");
        let index = lab.open().index_tree().unwrap().hex();
        assert_eq!(
            index,
            lab.git(&["write-tree"]),
            "{format}, seed {seed}, after {done:#?}"
        );
    }
}

#[test]
fn random_sequences_give_gits_trees() {
    for seed in 0..12 {
        walk(["sha1", "sha256"][usize::from(seed % 4 == 3)], seed);
    }
}

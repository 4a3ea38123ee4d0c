//! Trees and files compared with `git diff-tree`, `git diff --numstat` and `git diff`.

use super::oracle::Lab;
use git_rapid::{
    domain::{oid::TreeId, path::RepoPath, vocabulary::Change},
    git::{LineCounts, Repository, SnapshotRequest},
};
use std::fmt::Write;

const CHANGES: &str = "
    mkdir -p d/e q; seq 20 >edit; echo x >gone; echo same >same; echo m >mode; echo both >both
    echo f >file2dir; echo in >q/x; ln -s a link; echo t >type; printf 'a\\0b' >bin; echo d >d/e/f
    printf 'no newline' >nonl; printf 'x' >\"$(printf 'lat\\351')\"
    git init -q ../home/s; git -C ../home/s commit -q --allow-empty -m s
    h=$(git -C ../home/s rev-parse HEAD); git add -A
    git update-index --add --cacheinfo 160000,$h,sub; git commit -qm one
    seq 1 2 20 >edit; rm gone; chmod +x mode both; echo more >>both; rm file2dir; mkdir file2dir
    echo i >file2dir/in; rm -r q; echo q >q; rm link; ln -s b link; rm type; ln -s x type
    printf 'a\\0c' >bin; echo d2 >d/e/f; echo new >d/new; printf 'newline\\n' >nonl
    printf 'y' >\"$(printf 'lat\\351')\"; echo crlf >'a b'; git add -A
    git -C ../home/s commit -q --allow-empty -m s2; h=$(git -C ../home/s rev-parse HEAD)
    git update-index --add --cacheinfo 160000,$h,sub; git commit -qm two";

fn trees(lab: &Lab) -> (TreeId, TreeId) {
    (lab.tree("HEAD~1"), lab.tree("HEAD"))
}

/// `git diff-tree` in the words of records.
fn gits_changes(lab: &Lab, old: TreeId, new: TreeId) -> Vec<(Vec<u8>, Change)> {
    let raw = lab.sh(&format!(
        "git diff-tree -r --no-renames -z {} {} | tr '\\0' '\\n' | od -An -v -tx1 | tr -d ' \\n'",
        old.hex(),
        new.hex()
    ));
    let bytes: Vec<u8> = raw
        .as_bytes()
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let mut changes = Vec::new();
    while let (Some(about), Some(path)) = (lines.next(), lines.next()) {
        let about = std::str::from_utf8(about).unwrap();
        let words: Vec<_> = about.split(' ').collect();
        let change = match words[4] {
            "A" => Change::Added,
            "D" => Change::Deleted,
            "T" => Change::Type,
            "M" if words[2] == words[3] => Change::Mode,
            "M" => Change::Modified,
            other => panic!("{other}"),
        };
        changes.push((path.to_vec(), change));
    }
    changes.sort();
    changes
}

fn ours(repo: &Repository, old: TreeId, new: TreeId) -> Vec<(Vec<u8>, Change)> {
    repo.diff_trees(old, new)
        .unwrap()
        .into_iter()
        .map(|path| (path.path.as_bytes().to_vec(), path.change))
        .collect()
}

#[test]
fn changed_paths_are_gits() {
    for format in ["sha1", "sha256"] {
        let lab = Lab::new(format, CHANGES);
        let repo = lab.open();
        let (old, new) = trees(&lab);
        let changes = ours(&repo, old, new);
        assert_eq!(changes, gits_changes(&lab, old, new));
        assert_eq!(ours(&repo, new, old), gits_changes(&lab, new, old));
        assert!(changes.contains(&(b"mode".to_vec(), Change::Mode)));
        assert!(changes.contains(&(b"both".to_vec(), Change::Modified)));
        assert!(changes.contains(&(b"type".to_vec(), Change::Type)));
        assert!(changes.contains(&(b"file2dir".to_vec(), Change::Deleted)));
        assert_eq!(ours(&repo, new, new), []);
        let empty = repo.empty_tree();
        assert_eq!(
            ours(&repo, empty, new).len(),
            lab.git(&["ls-files"]).lines().count()
        );
    }
}

fn numstat(lab: &Lab, old: TreeId, new: TreeId, path: &[u8]) -> LineCounts {
    let quoted: String = path.iter().fold(String::new(), |mut text, byte| {
        write!(text, "\\{byte:03o}").unwrap();
        text
    });
    let line = lab.sh(&format!(
        "GIT_LITERAL_PATHSPECS=1 git diff --no-renames --numstat {} {} -- \"$(printf '{quoted}')\"",
        old.hex(),
        new.hex()
    ));
    let mut words = line.split('\t');
    let mut number = || words.next().unwrap().parse().ok();
    LineCounts {
        added: number(),
        deleted: number(),
    }
}

#[test]
fn line_counts_are_gits() {
    let lab = Lab::new("sha1", CHANGES);
    let repo = lab.open();
    let (old, new) = trees(&lab);
    for (path, _) in ours(&repo, old, new) {
        if path == b"file2dir" || path == b"q" {
            continue; // Git matches what is below as well.
        }
        let name = RepoPath::new(path.clone()).unwrap();
        let counts = repo.count_lines(old, new, &name).unwrap();
        assert_eq!(counts, numstat(&lab, old, new, &path), "{name}");
    }
    let binary = repo
        .count_lines(old, new, &RepoPath::new("bin").unwrap())
        .unwrap();
    assert_eq!(binary.added, None);
}

#[test]
fn unified_diffs_are_gits() {
    let lab = Lab::new("sha1", CHANGES);
    let repo = lab.open();
    let (old, new) = trees(&lab);
    for path in [
        "edit", "gone", "mode", "both", "link", "d/e/f", "d/new", "nonl", "a b", "sub",
    ] {
        let name = RepoPath::new(path).unwrap();
        let text = repo.diff_text(old, new, &name, 1 << 20).unwrap().text;
        let git = lab.git(&["diff", "--no-renames", &old.hex(), &new.hex(), "--", path]);
        // Git says more in two places: blob ids, and the function a hunk is in.
        let git: String = git
            .lines()
            .filter(|line| !line.starts_with("index "))
            .map(|line| match line.match_indices(" @@").next() {
                Some((at, _)) if line.starts_with("@@ ") => format!("{}\n", &line[..at + 3]),
                _ => format!("{}\n", line.trim_end_matches('\t')),
            })
            .collect();
        assert_eq!(text, git, "{path}");
    }
}

#[test]
fn diffs_are_cut_between_characters() {
    let lab = Lab::new(
        "sha1",
        "echo a >f; git add f; git commit -qm 1; \
        for i in $(seq 50); do echo 'äöü'; done >f; git add f; git commit -qm 2",
    );
    let repo = lab.open();
    let (old, new) = trees(&lab);
    let name = RepoPath::new("f").unwrap();
    let whole = repo.diff_text(old, new, &name, usize::MAX).unwrap().text;
    for limit in 0..200 {
        let text = repo.diff_text(old, new, &name, limit).unwrap().text;
        assert!(text.len() <= limit && whole.starts_with(&text));
        assert!(text.len() + 4 > limit);
    }
}

#[test]
fn snapshots_compare_like_commits() {
    let lab = Lab::new(
        "sha1",
        "mkdir d; seq 9 >d/f; echo x >gone; git add -A; git commit -qm 1; \
        seq 2 10 >d/f; echo n >d/n; rm gone; head -c 5000000 /dev/zero >large",
    );
    let repo = lab.open();
    let base = lab.tree("HEAD");
    let snapshot = repo.snapshot(&SnapshotRequest::default()).unwrap().unwrap();
    let changes = ours(&repo, base, snapshot.tree);
    let expected: Vec<(&[u8], Change)> = vec![
        (b"d/f", Change::Modified),
        (b"d/n", Change::Added),
        (b"gone", Change::Deleted),
        (b"large", Change::Added),
    ];
    let changes: Vec<_> = changes
        .iter()
        .map(|(path, change)| (path.as_slice(), *change))
        .collect();
    assert_eq!(changes, expected);
    let count = |repo: &Repository, path: &str| {
        let counts = repo.count_lines(base, snapshot.tree, &RepoPath::new(path).unwrap());
        counts.map(|counts| (counts.added, counts.deleted)).ok()
    };
    assert_eq!(count(&repo, "d/f"), Some((Some(1), Some(1))));
    // Too large to be at hand: as if it were binary.
    assert_eq!(count(&repo, "large"), Some((None, None)));

    // A later process sees what was kept.
    repo.keep_snapshot(&snapshot);
    let later = lab.open();
    assert_eq!(ours(&later, base, snapshot.tree).len(), 4);
    assert_eq!(count(&later, "d/f"), Some((Some(1), Some(1))));
    assert_eq!(count(&later, "large"), None);
}

#[test]
fn a_tree_that_is_not_here_is_named() {
    let lab = Lab::new("sha1", "echo 1 >a; git add a; git commit -qm 1");
    let none = TreeId(
        "sha1:0123456789012345678901234567890123456789"
            .parse()
            .unwrap(),
    );
    let error = lab.open().diff_trees(lab.tree("HEAD"), none).unwrap_err();
    assert!(error.to_string().contains("0123456"), "{error}");
}

/// Random edits of files with few different lines, where the shortest diff is often not
/// the only one. Net lines always agree with git; so do the counts but where git's own
/// shortcuts for expensive or repetitive input decide.
#[test]
fn random_edits_count_like_git() {
    let mut random = super::random::Random::new(0x5eed_0001);
    let lab = Lab::new("sha1", ":");
    let mut pairs = Vec::new();
    for _ in 0..120 {
        let vocabulary = [3, 10, 1000][random.below(3)];
        let length = random.below(120);
        let line =
            |random: &mut super::random::Random| format!("line {}\n", random.below(vocabulary));
        let old: Vec<String> = (0..length).map(|_| line(&mut random)).collect();
        let mut new = old.clone();
        for _ in 0..random.below(12) {
            let at = random.below(new.len() + 1);
            match random.below(3) {
                0 => new.insert(at, line(&mut random)),
                1 if at < new.len() => drop(new.remove(at)),
                _ if at < new.len() => new[at] = line(&mut random),
                _ => {}
            }
        }
        pairs.push((old.concat(), new.concat()));
    }
    let write = |side: fn(&(String, String)) -> &String| {
        for (number, pair) in pairs.iter().enumerate() {
            std::fs::write(lab.dir.join(format!("f{number:03}")), side(pair)).unwrap();
        }
        lab.sh("git add -A; git commit -q --allow-empty -m m");
        lab.tree("HEAD")
    };
    let (old, new) = (write(|pair| &pair.0), write(|pair| &pair.1));
    let repo = lab.open();
    let stat = lab.git(&["diff", "--numstat", &old.hex(), &new.hex()]);
    let (mut other, mut all) = (Vec::new(), 0);
    for line in stat.lines() {
        let words: Vec<_> = line.split('\t').collect();
        let [added, deleted] = [0, 1].map(|at| words[at].parse::<i64>().unwrap());
        let counts = repo
            .count_lines(old, new, &RepoPath::new(words[2]).unwrap())
            .unwrap();
        let [ours_added, ours_deleted] =
            [counts.added, counts.deleted].map(|count| i64::try_from(count.unwrap()).unwrap());
        assert_eq!(ours_added - ours_deleted, added - deleted, "{line}");
        all += 1;
        if (ours_added, ours_deleted) != (added, deleted) {
            other.push(format!("{line}: {counts:?}"));
        }
    }
    assert!(all > 80, "{all} files differ");
    assert!(
        other.len() * 20 <= all,
        "{} of {all}: {other:#?}",
        other.len()
    );
}

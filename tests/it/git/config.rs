use super::scratch::{Scratch, open_with};
use git_rapid::{domain::bytes::ByteText, git::Error};
use std::fs;

#[test]
fn booleans_as_git_reads_them() {
    let scratch = Scratch::new();
    let values = [
        "true", "TRUE", "yes", "on", "1", "2", "-1", "false", "no", "off", "0", "", "maybe", "10k",
        "t",
    ];
    let mut text = fs::read_to_string(scratch.dir.join(".git/config")).unwrap();
    text.push_str("[rapid]\n\timplicit\n");
    for (index, value) in values.iter().enumerate() {
        text.push_str(&format!("\tv{index} = {value}\n"));
    }
    fs::write(scratch.dir.join(".git/config"), text).unwrap();
    let repo = scratch.open();
    let names = (0..values.len()).map(|index| format!("v{index}"));
    for name in names.chain(["implicit".to_owned(), "absent".to_owned()]) {
        let key = format!("rapid.{name}");
        let out = scratch.run_in(&scratch.dir, &["config", "--type=bool", &key], b"");
        let git = match out.stdout.as_slice() {
            b"true\n" => Some(true),
            b"false\n" => Some(false),
            _ => None,
        };
        assert_eq!(repo.config_bool(&key), git, "{key} {values:?}");
    }
}

#[test]
fn values_from_every_place_in_gits_order() {
    let scratch = Scratch::new();
    let path = |name: &str, text: &str| {
        let path = scratch.root.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let system = path(
        "system",
        "[rapid]\n\ta = system\n\tb = system\n\tc = system\n\td = system\n\te = system\n",
    );
    let extra = path("extra", "[rapid]\n\te = included\n");
    let global = path(
        "global",
        &format!(
            "[rapid]\n\tb = global\n\tc = global\n\td = global\n[include]\n\tpath = {extra}\n"
        ),
    );
    scratch.git(&["config", "--add", "rapid.c", "first"]);
    scratch.git(&["config", "--add", "rapid.c", "last"]);
    scratch.git(&["config", "rapid.d", "local"]);
    scratch.git(&["config", "branch.a=b.rapid", "odd"]);
    let variables = [
        ("GIT_CONFIG_NOSYSTEM", "0"),
        ("GIT_CONFIG_SYSTEM", system.as_str()),
        ("GIT_CONFIG_GLOBAL", global.as_str()),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "rapid.d"),
        ("GIT_CONFIG_VALUE_0", "counted"),
        (
            "GIT_CONFIG_PARAMETERS",
            "'rapid.f'='x y=z' 'rapid.g' 'rapid.h=old'",
        ),
    ];
    let repo = open_with(&scratch.dir, &variables).unwrap();
    for (key, value) in [
        ("rapid.a", Some("system")),
        ("rapid.b", Some("global")),
        ("rapid.c", Some("last")),
        ("rapid.d", Some("counted")),
        ("rapid.e", Some("included")),
        ("rapid.f", Some("x y=z")),
        ("rapid.h", Some("old")),
        ("RAPID.A", Some("system")),
        ("branch.a=b.rapid", Some("odd")),
        ("rapid.none", None),
        ("nonsense", None),
    ] {
        assert_eq!(repo.config(key), value.map(ByteText::from), "{key}");
        let mut git = git_rapid::git::GitProcess::new(&repo, ["config", "--get", key]);
        git.keep_git_env = true;
        let out = git.any_output().unwrap();
        let said = (out.code == Some(0)).then(|| String::from_utf8(out.stdout).unwrap());
        assert_eq!(said.as_deref().map(str::trim_end), value, "{key}");
    }
    assert_eq!(repo.config_bool("rapid.g"), Some(true));
}

#[test]
fn what_is_set_is_seen() {
    let scratch = Scratch::new();
    let repo = scratch.open();
    assert_eq!(repo.config("rapid.writer"), None);
    repo.set_config("rapid.writer", "w \"1\" # ; \\").unwrap();
    assert_eq!(repo.config("rapid.Writer"), Some("w \"1\" # ; \\".into()));
    assert_eq!(scratch.git(&["config", "rapid.writer"]), "w \"1\" # ; \\");
    assert_eq!(
        scratch.open().config("rapid.writer"),
        repo.config("rapid.writer")
    );
    repo.set_config("rapid.sign", "on").unwrap();
    assert_eq!(repo.config_bool("rapid.sign"), Some(true));
    assert!(matches!(
        repo.set_config("nonsense", "x"),
        Err(Error::Git { .. })
    ));
    // From a linked worktree it goes to the shared file.
    scratch.commit("a", "one");
    let linked = scratch.dir.parent().unwrap().join("linked");
    scratch.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    scratch
        .open_at(&linked)
        .set_config("rapid.target", "main")
        .unwrap();
    assert_eq!(scratch.open().config("rapid.target"), Some("main".into()));
}

#[test]
fn a_held_lock_is_named_and_left_alone() {
    let scratch = Scratch::new();
    let lock = scratch.dir.join(".git/config.lock");
    fs::write(&lock, "").unwrap();
    let result = scratch.open().set_config("rapid.writer", "w");
    assert!(
        matches!(&result, Err(Error::Locked { path, .. }) if *path == lock),
        "{result:?}"
    );
    assert!(lock.exists());
}

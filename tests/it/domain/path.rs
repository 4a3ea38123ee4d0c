//! Paths inside a repository.

use git_rapid::domain::path::{BadPath, RepoPath};
use proptest::prelude::*;
use std::process::Command;

fn path(bytes: impl AsRef<[u8]>) -> RepoPath {
    RepoPath::new(bytes.as_ref()).unwrap()
}

#[test]
fn what_cannot_name_something_below_the_root_is_refused() {
    let refused = |bytes: &[u8]| RepoPath::new(bytes).unwrap_err();
    for bytes in [&b""[..], b"a//b", b"a/"] {
        assert!(matches!(refused(bytes), BadPath::Empty(_)), "{bytes:?}");
    }
    assert!(matches!(refused(b"/a"), BadPath::Absolute(_)));
    for bytes in [&b".."[..], b"a/../b", b"./a", b"a/."] {
        assert!(matches!(refused(bytes), BadPath::Dots(_)), "{bytes:?}");
    }
    assert!(matches!(refused(b"a\0b"), BadPath::Nul(_)));
    for bytes in [
        &b"."[..],
        b"a",
        b"...",
        "é/ñ".as_bytes(),
        b"\xff",
        b"a b",
        b"-x",
    ] {
        assert!(RepoPath::new(bytes).is_ok(), "{bytes:?}");
    }
}

#[test]
fn below_means_by_components() {
    assert!(path("a/b").is_under(&path("a")));
    assert!(path("a").is_under(&path("a")));
    assert!(path("a").is_under(&RepoPath::root()));
    assert!(!path("ab").is_under(&path("a")));
    assert!(!path("a").is_under(&path("a/b")));
    assert_eq!(path("a/b/c").file_name(), b"c");
    assert_eq!(path("a/b").components().count(), 2);
}

#[test]
fn json_keeps_every_byte_in_one_form() {
    assert_eq!(serde_json::to_string(&path("a/é")).unwrap(), "\"a/é\"");
    let raw = serde_json::to_string(&path(b"a/\xff")).unwrap();
    assert_eq!(raw, r#"{"bytes":"612fff"}"#);
    assert_eq!(
        serde_json::from_str::<RepoPath>(&raw).unwrap(),
        path(b"a/\xff")
    );
    for text in [
        r#"{"bytes":"61"}"#,
        r#"{"bytes":"FF"}"#,
        r#"{"bytes":"f"}"#,
        r#""../a""#,
        r#""""#,
    ] {
        assert!(serde_json::from_str::<RepoPath>(text).is_err(), "{text}");
    }
}

#[test]
fn quoting_is_as_git_does_it() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(folder.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    git(&["init", "-q"]);
    let names = [
        "plain",
        "with space",
        "tab\there",
        "line\nbreak",
        "quo\"te",
        "back\\slash",
        "é",
        "\u{1}x",
        "\u{7f}",
        "\r",
    ];
    for name in names {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    git(&["add", "-A"]);
    let shown = String::from_utf8(git(&["-c", "core.quotePath=false", "ls-files"])).unwrap();
    let mut shown: Vec<_> = shown.lines().collect();
    let mut own: Vec<_> = names.iter().map(|name| path(name).quoted()).collect();
    shown.sort_unstable();
    own.sort_unstable();
    assert_eq!(own, shown);
}

proptest! {
    #[test]
    fn a_path_survives_json(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
        if let Ok(path) = RepoPath::new(bytes) {
            let text = serde_json::to_string(&path).unwrap();
            prop_assert_eq!(serde_json::from_str::<RepoPath>(&text).unwrap(), path);
        }
    }
}

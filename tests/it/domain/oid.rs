//! Ids of git objects.

use git_rapid::domain::oid::{Oid, TreeId};
use std::process::Command;

const SHA1: &str = "sha1:4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const SHA256: &str = "sha256:6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

#[test]
fn an_id_carries_its_algorithm() {
    for (text, algorithm, length) in [(SHA1, "sha1", 20), (SHA256, "sha256", 32)] {
        let id: Oid = text.parse().unwrap();
        assert_eq!(id.to_string(), text);
        assert_eq!(id.algorithm(), algorithm);
        assert_eq!(id.as_bytes().len(), length);
        assert_eq!(Oid::from_hex(&id.hex()), Some(id));
        assert_eq!(serde_json::to_value(id).unwrap(), text);
        assert_eq!(
            serde_json::from_value::<TreeId>(text.into()).unwrap(),
            TreeId(id)
        );
        assert!(!id.is_null());
    }
    assert!(Oid::from_bytes(&[0; 20]).unwrap().is_null());
}

#[test]
fn what_is_not_an_id_is_refused() {
    for text in [
        "",
        "sha1:",
        "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "SHA1:4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "sha256:4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "sha1:4B825DC642CB6EB9A060E54BF8D69288FBEE4904",
        "sha1:4b825dc642cb6eb9a060e54bf8d69288fbee490",
        "md5:4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        "sha1:4b825dc642cb6eb9a060e54bf8d69288fbee490g",
    ] {
        assert!(text.parse::<Oid>().is_err(), "{text}");
    }
    assert_eq!(Oid::from_bytes(&[0; 21]), None);
}

#[test]
fn ids_of_two_algorithms_are_never_equal() {
    let one = Oid::from_bytes(&[0; 20]).unwrap();
    let other = Oid::from_bytes(&[0; 32]).unwrap();
    assert_ne!(one, other);
}

#[test]
fn git_gives_the_same_empty_trees() {
    for (format, text) in [("sha1", SHA1), ("sha256", SHA256)] {
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
            assert!(output.status.success());
            String::from_utf8(output.stdout).unwrap()
        };
        git(&["init", "-q", &format!("--object-format={format}")]);
        let found = git(&["hash-object", "-t", "tree", "/dev/null"]);
        assert_eq!(Oid::from_hex(found.trim()).unwrap().to_string(), text);
    }
}

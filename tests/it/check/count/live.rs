//! Runners that are on this machine, for real. One that is not there is not asked.

use super::super::kit::{command, quietly, supervised, text};
use super::told;
use git_rapid::check::{Exit, contradicts, count_output};
use std::path::Path;

/// Runs `words` in `dir`; the exit code and what was counted, or nothing where the
/// program is not there.
fn run(dir: &Path, words: &[&str]) -> Option<(Exit, String)> {
    let mut command = supervised(command(dir, words.iter().copied()));
    for name in ["HOME", "CARGO_HOME", "RUSTUP_HOME"] {
        if let Some(value) = std::env::var_os(name) {
            command.environment.push((name.into(), value));
        }
    }
    let ended = quietly(&command);
    if ended.exit == Exit::Code(127) {
        println!("not asked: {}", words[0]);
        return None;
    }
    let counted = count_output(&command.argv, &ended.log.bytes);
    if let Some(counted) = &counted {
        assert!(!contradicts(&ended.exit, counted), "{}", text(&ended));
    }
    Some((ended.exit, told(counted)))
}

fn write(dir: &Path, name: &str, text: &str) {
    let file = dir.join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

#[test]
fn python_unittest() {
    let dir = tempfile::tempdir().unwrap();
    let suite = "import unittest\nclass Case(unittest.TestCase):\n\
                 \x20   def test_a(self): pass\n    def test_b(self): self.assertEqual(1, ONE)\n";
    write(dir.path(), "test_it.py", &format!("ONE = 1\n{suite}"));
    let words = ["python3", "-m", "unittest"];
    if let Some(ended) = run(dir.path(), &words) {
        assert_eq!(ended, (Exit::Code(0), "unittest 2/0/0/0".to_owned()));
        // Not the same size, so that no cached bytecode can be taken for it.
        write(dir.path(), "test_it.py", &format!("ONE = 200\n{suite}"));
        let (exit, counted) = run(dir.path(), &words).unwrap();
        assert_eq!(exit, Exit::Code(1));
        assert_eq!(counted, "unittest 1/1/0/0 [test_it.Case.test_b]");
    }
}

#[test]
fn node_test() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "it.test.js",
        "const { test } = require('node:test');\n\
         test('a', () => {});\ntest('b', () => { throw new Error('no'); });\ntest('c', { skip: true }, () => {});\n",
    );
    for words in [
        &["node", "--test"][..],
        &["node", "--test", "--test-reporter=spec"],
        &["node", "--test", "--test-reporter=tap"],
    ] {
        if let Some((exit, counted)) = run(dir.path(), words) {
            assert_eq!(exit, Exit::Code(1));
            assert_eq!(counted, "node-test 1/1/0/1 [b]", "{words:?}");
        }
    }
}

#[test]
fn cargo_test() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        "Cargo.toml",
        "[package]\nname = \"krate\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
         [lib]\ndoctest = false\n[workspace]\n[profile.dev]\ndebug = false\n",
    );
    write(
        dir.path(),
        "src/lib.rs",
        "#[test] fn a() {}\n#[test] fn b() { panic!() }\n#[test] #[ignore] fn c() {}\n",
    );
    let words = ["cargo", "test", "--offline", "--no-fail-fast"];
    if let Some((exit, counted)) = run(dir.path(), &words) {
        assert_eq!(exit, Exit::Code(101));
        assert_eq!(counted, "cargo-test 1/1/0/1 [b]");
        write(dir.path(), "src/lib.rs", "fn broken( {\n");
        let (exit, counted) = run(dir.path(), &words).unwrap();
        assert_eq!(exit, Exit::Code(101));
        assert_eq!(counted, "not counted");
    }
}

//! The test kit itself: that it keeps what it promises.

use crate::support::{Sandbox, SandboxKind};

#[test]
fn nothing_of_the_machine_reaches_a_child() {
    let sandbox = Sandbox::empty();
    let names = sandbox.finish(&mut sandbox.command("env")).ended(0).stdout;
    for line in names.lines() {
        let (name, _) = line.split_once('=').unwrap();
        let known = name.starts_with("GIT_")
            || ["PATH", "HOME", "TMPDIR", "LC_ALL", "TZ", "TERM"].contains(&name)
            || [
                "CARGO_HOME",
                "RUSTUP_HOME",
                "LD_LIBRARY_PATH",
                "RUSTUP_TOOLCHAIN",
            ]
            .contains(&name);
        assert!(known, "{name} got through");
    }
}

#[test]
fn each_commit_has_its_own_second() {
    let sandbox = Sandbox::project();
    sandbox.commit_all("second");
    let times = sandbox.git(&["log", "--format=%ct"]);
    let times: Vec<i64> = times.lines().map(|line| line.parse().unwrap()).collect();
    assert!(times.len() == 2 && times[0] > times[1], "{times:?}");
}

#[test]
fn a_fingerprint_sees_what_changes() {
    let sandbox = Sandbox::project();
    let before = sandbox.fingerprint();
    assert_eq!(before, sandbox.fingerprint());
    sandbox.write("src/lib.txt", "two\n");
    let edited = sandbox.fingerprint();
    assert_ne!(before, edited);
    sandbox.git(&["update-ref", "refs/rapid/x", "HEAD"]);
    assert_ne!(edited, sandbox.fingerprint());
}

#[test]
fn repositories_of_every_kind_can_be_made() {
    let kind = SandboxKind {
        sha256: true,
        reftable: true,
        bare: false,
    };
    let sandbox = Sandbox::repo_of(kind);
    let commit = sandbox.commit_all("first");
    assert_eq!(commit.len(), 64);
    assert!(sandbox.path(".git/reftable").is_dir());
}

#[test]
fn the_tree_of_the_worktree_is_gits() {
    let sandbox = Sandbox::project();
    sandbox.write("new", "x");
    let tree = sandbox.git_tree();
    assert_eq!(
        sandbox.try_git(&["diff", "--cached", "--quiet"]).code,
        0,
        "the index is as it was"
    );
    sandbox.commit_all("all");
    assert_eq!(tree, sandbox.git(&["rev-parse", "HEAD^{tree}"]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_reads_what_is_typed_and_is_nobodys_descendant() {
    let sandbox = Sandbox::empty();
    let script = r#"test -t 0 && test -t 2 && exec </dev/tty && printf 'who? ' && read name &&
        echo "hello $name" && cat /proc/$PPID/stat && exit 7"#;
    let mut terminal = sandbox.terminal_with(&["sh", "-c", script]);
    terminal.expect("who? ");
    terminal.type_line("ada");
    terminal.expect("hello ada");
    let run = terminal.finish().ended(7);
    let stat = run.stdout.lines().last().unwrap();
    let parent: u32 = stat.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert_ne!(parent, std::process::id());
    let own = std::fs::read_to_string("/proc/self/stat").unwrap();
    let own_parent: u32 = own.split_whitespace().nth(3).unwrap().parse().unwrap();
    assert_ne!(parent, own_parent);
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_and_the_interrupt_can_be_typed() {
    let sandbox = Sandbox::empty();
    let mut terminal =
        sandbox.terminal_with(&["sh", "-c", "printf 'ready '; read x || echo ended"]);
    terminal.expect("ready ");
    terminal.type_end();
    terminal.expect("ended");
    terminal.finish().ended(0);
    let script = "trap 'echo stopped; exit 9' INT; printf 'ready '; while :; do sleep 0.01; done";
    let mut terminal = sandbox.terminal_with(&["sh", "-c", script]);
    terminal.expect("ready ");
    terminal.type_interrupt();
    terminal.finish().ended(9);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_can_run_below_another_of_any_name() {
    let sandbox = Sandbox::empty();
    let run = sandbox
        .terminal_below("some-agent", &["nope"])
        .finish()
        .ended(2);
    assert!(run.stdout.contains("RAPID4001"), "{run:?}");
}

#[test]
fn files_and_programs_are_made_and_run() {
    let sandbox = Sandbox::empty();
    let program = sandbox.write_program("bin/say", "#!/bin/sh\necho said\n");
    assert_eq!(
        sandbox
            .finish(&mut sandbox.command(program))
            .ended(0)
            .stdout,
        "said\n"
    );
    sandbox.remove("bin/say");
    assert!(!sandbox.dir().join("bin/say").exists());
    let elsewhere = sandbox.rapid_in("/", &["man", "--install", "x", "-C", "nowhere"]);
    elsewhere.ended(4);
    sandbox
        .rapid_with_input(&["--version"], b"not read")
        .ended(0);
}

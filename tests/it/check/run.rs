//! How a command is found, what it gets, how its end is told.

use super::kit::{command, quietly, shell, supervised, text};
use git_rapid::{
    check::{Command, Exit, Interrupt, RunError, run},
    domain::bytes::ByteText,
};
use std::{ffi::OsString, os::unix::fs::PermissionsExt, path::Path};

/// Both ways to start a command must look the same.
fn both(command: Command) -> [Command; 2] {
    [command.clone(), supervised(command)]
}

fn script(path: &Path, text: &str, mode: u32) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_exit_code_and_the_signal_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    for (script, exit) in [
        ("exit 0", Exit::Code(0)),
        ("exit 3", Exit::Code(3)),
        ("exit 255", Exit::Code(255)),
        ("exit 127", Exit::Code(127)),
        ("echo 5 passed; kill -SEGV $$", Exit::Signal(11)),
        ("kill -KILL $$", Exit::Signal(9)),
        ("kill -TERM $$", Exit::Signal(15)),
    ] {
        for command in both(shell(dir.path(), script)) {
            let ended = quietly(&command);
            assert_eq!(ended.exit, exit, "{script}");
            assert!(!ended.timed_out && !ended.interrupted && !ended.leftovers);
        }
    }
}

#[test]
fn both_outputs_are_kept_in_the_order_of_arrival_and_shown() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo one; echo two >&2; echo three; printf four >&2";
    for command in both(shell(dir.path(), script)) {
        let mut shown = Vec::new();
        let mut show = |bytes: &[u8]| shown.extend_from_slice(bytes);
        let ended = run(&command, &Interrupt::default(), &mut show).unwrap();
        assert_eq!(text(&ended), "one\ntwo\nthree\nfour");
        assert_eq!(shown, ended.log.bytes);
        assert_eq!(ended.log.dropped, 0);
    }
}

#[test]
fn words_are_not_read_by_a_shell_and_may_be_any_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = command(dir.path(), ["printf", "%s|", "$HOME *", "", "a;b"]);
    command.argv.push(ByteText(b"\xff\xfe".to_vec()));
    for command in both(command) {
        let ended = quietly(&command);
        assert_eq!(ended.log.bytes, b"$HOME *||a;b|\xff\xfe|");
    }
}

#[test]
fn the_child_gets_the_given_environment_and_folder_only() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = shell(dir.path(), "env | grep -c . ; echo $WORD; pwd -P");
    command.environment.push(("WORD".into(), "given".into()));
    for command in both(command) {
        let shown = text(&quietly(&command));
        let lines: Vec<_> = shown.lines().collect();
        // PATH, WORD, and what a shell sets by itself: PWD, and in some SHLVL and _.
        assert!(lines[0].parse::<u32>().unwrap() <= 6, "{shown}");
        assert_eq!(lines[1], "given");
        assert_eq!(
            Path::new(lines[2]),
            std::fs::canonicalize(dir.path()).unwrap()
        );
    }
}

#[test]
fn standard_input_is_empty_and_there_is_no_terminal() {
    let dir = tempfile::tempdir().unwrap();
    let script = "cat; echo read $?; (read x </dev/tty) 2>/dev/null || echo no terminal";
    for command in both(shell(dir.path(), script)) {
        assert_eq!(text(&quietly(&command)), "read 0\nno terminal\n");
    }
}

#[test]
fn what_is_not_there_ends_with_127() {
    let dir = tempfile::tempdir().unwrap();
    for words in [
        &["no-such-command-here"][..],
        &["./absent.sh"],
        &["/absent/absent"],
        &[""],
        &[],
    ] {
        for command in both(command(dir.path(), words.iter().copied())) {
            let mut shown = Vec::new();
            let mut show = |bytes: &[u8]| shown.extend_from_slice(bytes);
            let ended = run(&command, &Interrupt::default(), &mut show).unwrap();
            assert_eq!(ended.exit, Exit::Code(127), "{words:?}");
            assert_eq!(ended.program, None);
            assert!(text(&ended).contains("not found"));
            assert_eq!(shown, ended.log.bytes);
        }
    }
}

#[test]
fn what_cannot_be_executed_ends_with_126_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    script(&dir.path().join("plain"), "echo hi\n", 0o644);
    script(&dir.path().join("bare"), "echo hi\n", 0o755);
    script(&dir.path().join("void"), "", 0o755);
    script(&dir.path().join("lost"), "#!/absent/interpreter\n", 0o755);
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    let nul = "sh\0x";
    for (word, why) in [
        ("./folder", "is a directory"),
        ("./bare", "names its interpreter"),
        ("./void", "names its interpreter"),
        ("./lost", "interpreter"),
        ("./plain", "permission denied"),
    ] {
        for command in both(command(dir.path(), [word])) {
            let ended = quietly(&command);
            assert_eq!(ended.exit, Exit::Code(126), "{word}");
            assert!(text(&ended).contains(why), "{word}: {}", text(&ended));
            assert!(ended.program.is_some());
        }
    }
    // No system call can take a zero byte.
    let mut zero = command(dir.path(), ["sh", "-c", "exit 0"]);
    zero.argv.push(nul.into());
    assert_eq!(quietly(&zero).exit, Exit::Code(126));
}

#[test]
fn the_program_is_found_in_the_childs_path_and_from_the_childs_folder() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["first", "second"] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
    }
    // In the first folder it may not be run, so the search goes on.
    script(&dir.path().join("first/tool"), "#!/bin/sh\n", 0o644);
    script(
        &dir.path().join("second/tool"),
        "#!/bin/sh\necho mine\n",
        0o755,
    );
    let mut found = command(dir.path(), ["tool"]);
    found.environment = vec![("PATH".into(), OsString::from("first:second:/usr/bin:/bin"))];
    let ended = quietly(&found);
    assert_eq!(text(&ended), "mine\n");
    assert_eq!(
        ended.program.as_deref(),
        Some(dir.path().join("second/tool").as_path())
    );

    found.environment = vec![("PATH".into(), OsString::from("first"))];
    assert_eq!(quietly(&found).exit, Exit::Code(126));

    let ended = quietly(&command(&dir.path().join("second"), ["./tool"]));
    assert_eq!(text(&ended), "mine\n");
    assert!(ended.program.unwrap().ends_with("second/./tool"));

    // Without a PATH the usual folders are searched.
    let mut bare = command(dir.path(), ["sh", "-c", "exit 7"]);
    bare.environment.clear();
    assert_eq!(quietly(&bare).exit, Exit::Code(7));
}

#[test]
fn a_folder_that_is_not_there_is_not_the_commands_fault() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    for cwd in [dir.path().join("absent"), file] {
        let error = run(&shell(&cwd, ":"), &Interrupt::default(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, RunError::NoFolder { .. }), "{error:?}");
    }
}

#[test]
fn a_supervisor_that_vanished_is_done_without() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = shell(dir.path(), "exit 4");
    command.supervisor = Some(dir.path().join("replaced by an upgrade"));
    assert_eq!(quietly(&command).exit, Exit::Code(4));
}

#[test]
fn a_long_output_keeps_its_head_and_its_tail() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = shell(
        dir.path(),
        "echo first; yes 0123456789abcdef | head -c 20000000; echo; echo last",
    );
    command.log_limit = 1000;
    let ended = quietly(&command);
    let log = text(&ended);
    assert!(log.starts_with("first\n0123"), "{log}");
    assert!(log.ends_with("\nlast\n"), "{log}");
    assert!(ended.log.bytes.len() < 1100);
    let marker = format!("\n[{} bytes left out]\n", ended.log.dropped);
    assert_eq!(log.matches(&marker).count(), 1, "{log}");
    // Nothing is lost but what is said to be.
    let kept = log.replace(&marker[1..], "").len() as u64;
    assert_eq!(kept + ended.log.dropped, 6 + 20_000_000 + 1 + 5);
    // No line was cut in two.
    assert!(
        log.lines().all(|line| line.len() < 5
            || line.len() == 16
            || line.starts_with('[')
            || ["first", "last"].contains(&line)
            || "0123456789abcdef".starts_with(line)),
        "{log}"
    );
}

#[test]
fn a_log_without_room_or_lines_is_still_a_log() {
    let dir = tempfile::tempdir().unwrap();
    for (limit, most) in [(0, 40), (1, 41), (2, 43), (4096, 4200)] {
        let mut command = shell(dir.path(), "head -c 300000 /dev/zero");
        command.log_limit = limit;
        let ended = quietly(&command);
        assert!(ended.log.bytes.len() <= most, "{limit}");
        assert_eq!(ended.log.dropped, 300_000 - limit as u64);
    }
}

#[test]
fn a_flood_of_output_does_not_grow_memory() {
    // In a process of its own: other tests need memory too.
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "check::run::flood"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&status.stdout);
    assert!(
        status.status.success() && said.contains(" 1 passed;"),
        "{said}"
    );
}

#[test]
#[ignore = "a part of another test, which starts it in a process of its own"]
fn flood() {
    let dir = tempfile::tempdir().unwrap();
    let peak = || {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        let kib = line.unwrap().split_ascii_whitespace().nth(1).unwrap();
        kib.parse::<u64>().unwrap()
    };
    let before = peak();
    let mut command = shell(dir.path(), "head -c 300000000 /dev/zero");
    command.log_limit = 1 << 20;
    let ended = quietly(&command);
    assert_eq!(ended.exit, Exit::Code(0));
    assert!(ended.log.dropped > 298_000_000);
    assert!(peak() - before < 32 * 1024, "{} KiB", peak() - before);
}

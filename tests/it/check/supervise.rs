//! Being killed outright leaves no process of a command behind.

use super::kit::{alive, eventually, pids, shell, supervised};
use git_rapid::check::{Interrupt, run};
use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

const FOLDER: &str = "GIT_RAPID_TEST_CALLER_FOLDER";

/// Not a test of its own: the process that gets killed. See [`killed_outright`].
#[test]
#[ignore = "a part of other tests, which start it in a process of its own"]
fn caller() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let script = std::fs::read_to_string(folder.join("script")).unwrap();
    let command = supervised(shell(&folder, &script));
    let _ = run(&command, &Interrupt::default(), &mut |_| {});
}

fn start_caller(folder: &Path, script: &str) -> Child {
    std::fs::write(folder.join("script"), script).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "--ignored",
            "--quiet",
            "check::supervise::caller",
        ])
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killed_outright() {
    for ignores in ["", "trap '' TERM;"] {
        let dir = tempfile::tempdir().unwrap();
        let script = format!(
            "{ignores} sleep 600 & echo $! >>new; echo $$ >>new; echo $PPID >>new; mv new pids
             while :; do sleep 1; done"
        );
        let mut caller = start_caller(dir.path(), &script);
        let file = dir.path().join("pids");
        eventually("the command begins", || file.exists());
        let pids = pids(&file);
        assert!(pids.iter().all(|pid| alive(*pid)));
        caller.kill().unwrap();
        caller.wait().unwrap();
        eventually("command and supervisor are gone", || {
            pids.iter().all(|pid| !alive(*pid))
        });
    }
}

#[test]
fn killed_at_any_moment() {
    for delay in 0..12 {
        let dir = tempfile::tempdir().unwrap();
        let mut caller = start_caller(dir.path(), "echo $$ >>pids; exec sleep 600");
        std::thread::sleep(std::time::Duration::from_millis(delay));
        caller.kill().unwrap();
        caller.wait().unwrap();
        // A command that was about to begin may still do so, but not live.
        let folder = dir.path().to_owned();
        eventually("nothing runs in the folder", || !runs_in(&folder));
    }
}

/// Whether a living process has `folder` as its current one.
fn runs_in(folder: &Path) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        let pid = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok());
        pid.is_some_and(alive)
            && std::fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder)
    })
}

#[test]
fn it_refuses_to_work_for_anybody_else() {
    // Not the leader of a group: it would end the group of whoever asks.
    for words in [
        &["__supervise", "/bin/sh", "sh", "-c", "echo ran"][..],
        &["__supervise"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_git-rapid"))
            .args(words)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(output.stdout, b"");
    }
}

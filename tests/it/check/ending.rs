//! Deadlines, interrupts and what a command leaves behind.

use super::kit::{alive, eventually, pids, quietly, shell, supervised, text};
use git_rapid::check::{Command, Exit, Interrupt, run};
use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

/// Far more than any ending here may take, far less than what must not be waited for.
const LONG: Duration = Duration::from_secs(60);

/// A deadline that leaves a busy machine time to begin.
const ENOUGH: Duration = Duration::from_secs(3);

fn both(command: Command) -> [Command; 2] {
    [command.clone(), supervised(command)]
}

#[test]
fn the_deadline_ends_children_and_grandchildren() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo begun; sh -c 'sleep 600 & echo $! >>pids; wait' & echo $! >>pids
                  sleep 600 & echo $! >>pids; wait";
    for mut command in both(shell(dir.path(), script)) {
        command.timeout = Some(ENOUGH);
        let begun = Instant::now();
        let ended = quietly(&command);
        assert!(begun.elapsed() < LONG);
        assert!(ended.timed_out && !ended.interrupted);
        assert_eq!(ended.exit, Exit::Signal(15));
        assert_eq!(text(&ended), "begun\n");
        let pids = pids(&dir.path().join("pids"));
        assert_eq!(pids.len() % 3, 0);
        assert!(pids.iter().all(|pid| !alive(*pid)), "{pids:?}");
    }
}

#[test]
fn who_ignores_the_request_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap '' TERM; echo $$ >pids; echo begun
                  while :; do sleep 1; done";
    for mut command in both(shell(dir.path(), script)) {
        command.timeout = Some(ENOUGH);
        let ended = quietly(&command);
        assert!(ended.timed_out);
        assert_eq!(ended.exit, Exit::Signal(9));
        assert!(!alive(pids(&dir.path().join("pids"))[0]));
    }
}

#[test]
fn a_command_may_use_its_grace_to_say_goodbye() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap 'echo cleaned up; exit 9' TERM; echo begun
                  while :; do sleep 0.05; done";
    for mut command in both(shell(dir.path(), script)) {
        command.timeout = Some(ENOUGH);
        let ended = quietly(&command);
        assert!(ended.timed_out);
        assert_eq!(ended.exit, Exit::Code(9));
        assert!(text(&ended).ends_with("cleaned up\n"), "{}", text(&ended));
    }
}

#[test]
fn a_stopped_command_ends_at_the_deadline_too() {
    let dir = tempfile::tempdir().unwrap();
    for mut command in both(shell(dir.path(), "kill -STOP $$")) {
        command.timeout = Some(Duration::from_millis(300));
        let ended = quietly(&command);
        assert!(ended.timed_out);
        assert_eq!(ended.exit, Exit::Signal(15));
    }
}

#[test]
fn a_deadline_that_is_not_reached_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for timeout in [None, Some(LONG), Some(Duration::MAX)] {
        let mut command = shell(dir.path(), "echo done");
        command.timeout = timeout;
        let ended = quietly(&command);
        assert_eq!((ended.exit, ended.timed_out), (Exit::Code(0), false));
    }
}

#[test]
fn an_interrupt_ends_the_whole_group() {
    let dir = tempfile::tempdir().unwrap();
    let script = "sleep 600 & echo $! >>new; echo $$ >>new; mv new pids; wait";
    for command in both(shell(dir.path(), script)) {
        let interrupt = Interrupt::default();
        let (flag, file) = (interrupt.0.clone(), dir.path().join("pids"));
        let presser = std::thread::spawn(move || {
            eventually("the command begins", || file.exists());
            flag.store(true, Ordering::SeqCst);
        });
        let ended = run(&command, &interrupt, &mut |_| {}).unwrap();
        presser.join().unwrap();
        assert!(ended.interrupted && !ended.timed_out);
        let file = dir.path().join("pids");
        assert!(pids(&file).iter().all(|pid| !alive(*pid)));
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn what_a_finished_command_left_in_its_group_is_noted_and_ended() {
    let dir = tempfile::tempdir().unwrap();
    // One holds the output, the other does not.
    for script in [
        "sleep 600 & echo $! >pids; echo done; exit 5",
        "sleep 600 >/dev/null 2>&1 & echo $! >pids; echo done; exit 5",
        "(trap '' TERM; sleep 600) & echo $! >pids; echo done; exit 5",
    ] {
        for command in both(shell(dir.path(), script)) {
            let begun = Instant::now();
            let ended = quietly(&command);
            assert!(begun.elapsed() < LONG);
            assert_eq!(ended.exit, Exit::Code(5), "{script}");
            assert!(ended.leftovers && !ended.timed_out, "{script}");
            assert_eq!(text(&ended), "done\n");
            assert!(!alive(pids(&dir.path().join("pids"))[0]), "{script}");
        }
    }
}

#[test]
fn last_words_of_a_background_process_are_heard() {
    let dir = tempfile::tempdir().unwrap();
    for command in both(shell(dir.path(), "(sleep 0.05; echo late) & echo done")) {
        let ended = quietly(&command);
        assert_eq!(text(&ended), "done\nlate\n");
        assert!(!ended.leftovers);
    }
}

#[test]
fn who_left_the_group_is_not_waited_for_but_noted() {
    let dir = tempfile::tempdir().unwrap();
    for (script, timeout) in [
        (
            "setsid sh -c 'echo $$ >pids; exec sleep 600' & while [ ! -s pids ]; do sleep 0.05; done; echo done",
            LONG,
        ),
        ("setsid sh -c 'echo $$ >pids; exec yes' & sleep 600", ENOUGH),
    ] {
        for mut command in both(shell(dir.path(), script)) {
            command.timeout = Some(timeout);
            command.log_limit = 1000;
            let begun = Instant::now();
            let ended = quietly(&command);
            assert!(begun.elapsed() < LONG);
            assert!(ended.leftovers, "{script}");
            assert_eq!(ended.timed_out, timeout < LONG);
            let escaped = pids(&dir.path().join("pids"))[0];
            let kill = std::process::Command::new("kill")
                .args(["-9", &escaped.to_string()])
                .status();
            assert!(kill.is_ok());
        }
    }
}

#[test]
fn closing_its_output_does_not_end_a_command() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo said; exec >/dev/null 2>&1; sleep 0.4; exit 6";
    for command in both(shell(dir.path(), script)) {
        let ended = quietly(&command);
        assert_eq!(ended.exit, Exit::Code(6));
        assert!(ended.duration >= Duration::from_millis(400));
    }
}

#[test]
fn a_command_that_kills_its_whole_group_ends_by_that_signal() {
    let dir = tempfile::tempdir().unwrap();
    for command in both(shell(dir.path(), "echo bye; kill -9 0")) {
        let ended = quietly(&command);
        assert_eq!(ended.exit, Exit::Signal(9));
        assert_eq!(text(&ended), "bye\n");
    }
    for command in both(shell(dir.path(), "kill 0; sleep 600")) {
        assert_eq!(quietly(&command).exit, Exit::Signal(15));
    }
}

#[test]
fn a_show_that_panics_leaves_no_process() {
    let dir = tempfile::tempdir().unwrap();
    for command in both(shell(dir.path(), "echo $$ >pids; echo said; sleep 600")) {
        let caught = std::panic::catch_unwind(|| {
            run(&command, &Interrupt::default(), &mut |_| {
                panic!("no screen")
            })
        });
        assert!(caught.is_err());
        let pid = pids(&dir.path().join("pids"))[0];
        eventually("the command is gone", || !alive(pid));
    }
}

//! A person at a terminal: a real pseudo-terminal to read from and type into.
//!
//! `git rapid` refuses a person's verbs below a coding agent, and it looks at all its
//! ancestors. The tests themselves may well run below one. So that the product needs no
//! back door, the process under test is not a descendant of the tests: `setsid --fork`
//! puts it into a session of its own, on a terminal of its own, and ends, so that it is
//! adopted by the first process of the system. Its ancestors are then a shell and that.

use super::{Run, Sandbox};
use nix::{
    fcntl::OFlag,
    pty::{PtyMaster, grantpt, posix_openpt, ptsname_r, unlockpt},
};
use std::{
    fs::{self, OpenOptions},
    io::{Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

/// How long to wait for what must come; long, because it only bounds a failure.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keeps the exit code where the tests find it: nobody can wait for the process itself. A typed
/// interrupt reaches this shell too, and must not end it.
const KEEP_STATUS: &str = r#"trap : INT QUIT HUP; status=$1; shift; "$@"; echo $? >"$status.new"; mv "$status.new" "$status""#;

/// A running program with a terminal.
pub struct Terminal {
    called: String,
    keyboard: PtyMaster,
    screen: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    seen: String,
    read_up_to: usize,
    status: PathBuf,
}

impl Sandbox {
    /// Starts the program under test at a terminal of its own.
    pub fn terminal(&self, args: &[&str]) -> Terminal {
        let mut words = vec![env!("CARGO_BIN_EXE_git-rapid")];
        words.extend_from_slice(args);
        Terminal::start(self, &words)
    }

    /// Starts any program at a terminal of its own.
    pub fn terminal_with(&self, words: &[&str]) -> Terminal {
        Terminal::start(self, words)
    }

    /// Starts the program under test at a terminal, below a program called `name`.
    pub fn terminal_below(&self, name: &str, args: &[&str]) -> Terminal {
        let program = self.root().join("home").join(name);
        fs::copy("/bin/sh", &program).expect("a shell can be copied");
        let mut words = vec![
            program.to_str().expect("a plain path"),
            "-c",
            // The last command would replace the shell; `exit` keeps it in between.
            r#""$@"; exit $?"#,
            name,
            env!("CARGO_BIN_EXE_git-rapid"),
        ];
        words.extend_from_slice(args);
        Terminal::start(self, &words)
    }
}

impl Terminal {
    fn start(sandbox: &Sandbox, words: &[&str]) -> Self {
        let keyboard = posix_openpt(OFlag::O_RDWR | OFlag::O_NOCTTY | OFlag::O_CLOEXEC)
            .expect("a pseudo-terminal can be made");
        grantpt(&keyboard).expect("it is ours");
        unlockpt(&keyboard).expect("it is ours");
        let device = ptsname_r(&keyboard).expect("it has a name");
        let open = || {
            OpenOptions::new()
                .read(true)
                .write(true)
                .custom_flags(OFlag::O_NOCTTY.bits())
                .open(Path::new(&device))
                .expect("the other end can be opened")
        };
        let called = words.join(" ");
        let status = tempfile::Builder::new()
            .prefix("status-")
            .tempdir_in(sandbox.root().join("tmp"))
            .expect("a temporary folder can be made")
            .keep()
            .join("status");
        let launched = sandbox
            .command("setsid")
            .args(["--fork", "--ctty", "sh", "-c", KEEP_STATUS, "sh"])
            .arg(&status)
            .args(words)
            .env("TERM", "xterm")
            .stdin(open())
            .stdout(open())
            .stderr(open())
            .status()
            .expect("setsid is installed");
        assert!(launched.success(), "{called}: {launched}");
        let (send, screen) = channel();
        let mut output = fs::File::from(
            std::os::fd::AsFd::as_fd(&keyboard)
                .try_clone_to_owned()
                .expect("a descriptor can be doubled"),
        );
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When the last process has closed its end, reading fails.
            while let Ok(count @ 1..) = output.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            called,
            keyboard,
            screen,
            bytes: Vec::new(),
            seen: String::new(),
            read_up_to: 0,
            status,
        }
    }

    /// Waits until `text` is on the screen, below what was waited for before; gives
    /// everything since then, with it.
    #[track_caller]
    pub fn expect(&mut self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen[self.read_up_to..].find(text) {
                let end = self.read_up_to + at + text.len();
                let part = self.seen[self.read_up_to..end].to_owned();
                self.read_up_to = end;
                return part;
            }
            if !self.more(deadline) {
                panic!("{}: no {text:?} on the screen:\n{}", self.called, self.seen);
            }
        }
    }

    /// Types a line and the return key.
    pub fn type_line(&mut self, line: &str) {
        self.keyboard.write_all(line.as_bytes()).unwrap();
        self.keyboard.write_all(b"\n").unwrap();
    }

    /// Types the end-of-file key.
    pub fn type_end(&mut self) {
        self.keyboard.write_all(&[4]).unwrap();
    }

    /// Types the interrupt key.
    pub fn type_interrupt(&mut self) {
        self.keyboard.write_all(&[3]).unwrap();
    }

    /// Waits for the end; the whole screen is the run's standard output.
    #[track_caller]
    pub fn finish(mut self) -> Run {
        let deadline = Instant::now() + PATIENCE;
        while self.more(deadline) {}
        let code = loop {
            if let Ok(text) = fs::read_to_string(&self.status) {
                break text.trim().parse().expect("the shell wrote a number");
            }
            assert!(
                Instant::now() < deadline,
                "{}: still running:\n{}",
                self.called,
                self.seen
            );
            std::thread::sleep(Duration::from_millis(5));
        };
        Run {
            called: self.called,
            stdout: self.seen,
            stderr: String::new(),
            code,
        }
    }

    /// Reads on; false when nothing more can come.
    fn more(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.screen.recv_timeout(left) {
            Ok(bytes) => {
                self.bytes
                    .extend(bytes.iter().filter(|byte| **byte != b'\r'));
                // From the start, as a character may have come in two pieces.
                self.seen = String::from_utf8_lossy(&self.bytes).into_owned();
                true
            }
            Err(RecvTimeoutError::Disconnected | RecvTimeoutError::Timeout) => false,
        }
    }
}

//! A process group from the outside: signals to all of it, and whether anyone is left.
//!
//! A process that left the group (`setsid`, `setpgid`) cannot be reached through it.

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// A process group of ours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(pub(super) Pid);

impl Group {
    /// The group led by the process `id`.
    pub(super) fn led_by(id: u32) -> Option<Self> {
        Pid::from_raw(i32::try_from(id).ok()?).map(Self)
    }

    /// Asks every member to end. A stopped member is woken, or it could not obey. False when
    /// there is no such group.
    pub(super) fn terminate(self) -> bool {
        let asked = kill_process_group(self.0, Signal::TERM);
        // An error means that nobody is left to get it.
        let _ = kill_process_group(self.0, Signal::CONT);
        asked != Err(rustix::io::Errno::SRCH)
    }

    /// Ends every member.
    pub(super) fn kill(self) {
        let _ = kill_process_group(self.0, Signal::KILL);
    }

    /// Whether a member still runs, not looking at the process `except`.
    pub(super) fn has_members(self, except: Option<Pid>) -> bool {
        match test_kill_process_group(self.0) {
            Err(rustix::io::Errno::SRCH) => false,
            // The dead count as members until their parent asks for them, and some
            // containers have nobody who does.
            _ => self.living(except).unwrap_or(true),
        }
    }

    /// Whether `/proc` lists a living member; `None` where there is no such `/proc`.
    fn living(self, except: Option<Pid>) -> Option<bool> {
        let except = except.map(|pid| pid.as_raw_nonzero().get().to_string());
        let mut seen_any = false;
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            let name = entry.file_name();
            let process = name.to_str().filter(|name| {
                name.bytes().all(|byte| byte.is_ascii_digit()) && Some(*name) != except.as_deref()
            });
            let Some(stat) = process.and_then(|_| std::fs::read(entry.path().join("stat")).ok())
            else {
                continue;
            };
            seen_any = true;
            if state_and_group(&stat).is_some_and(|(state, group)| {
                group == self.0.as_raw_nonzero().get() && !matches!(state, b'Z' | b'X')
            }) {
                return Some(true);
            }
        }
        seen_any.then_some(false)
    }
}

/// Reads `pid (name) state parent group …`; the name may hold anything.
fn state_and_group(stat: &[u8]) -> Option<(u8, i32)> {
    let after_name = stat.iter().rposition(|byte| *byte == b')')? + 1;
    let mut fields = std::str::from_utf8(&stat[after_name..])
        .ok()?
        .split_ascii_whitespace();
    let state = *fields.next()?.as_bytes().first()?;
    Some((state, fields.nth(1)?.parse().ok()?))
}

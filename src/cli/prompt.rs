//! A person's typed words, from the terminal itself.
//!
//! Not from standard input: what is piped in was not typed. No trick is played with the
//! echo: what a person types is shown, as it is no secret.

use super::failure::Failure;
use crate::{check::Interrupt, diagnostic::Code};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    sync::{
        atomic::Ordering,
        mpsc::{RecvTimeoutError, channel},
    },
    time::Duration,
};

/// Longer lines are no answer to anything we ask.
const LONGEST: usize = 4096;
/// How often to look whether the user wants to go.
const LOOK: Duration = Duration::from_millis(50);

/// The process's own terminal, opened to talk with the person at it.
#[derive(Debug)]
pub struct Prompt {
    terminal: File,
    interrupt: Interrupt,
}

impl Prompt {
    /// Opens the terminal that the process belongs to.
    pub fn open(interrupt: &Interrupt) -> Result<Self, Failure> {
        OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/tty")
            .map(|terminal| Self {
                terminal,
                interrupt: interrupt.clone(),
            })
            .map_err(|error| nobody("there is no terminal to ask at").cause(error.to_string()))
    }

    /// Shows a text.
    pub fn show(&mut self, text: &str) -> Result<(), Failure> {
        self.terminal
            .write_all(text.as_bytes())
            .and_then(|()| self.terminal.flush())
            .map_err(|error| nobody("the terminal cannot be written to").cause(error.to_string()))
    }

    /// Asks, and reads the line that is typed, without its end and outer blanks.
    ///
    /// The end of the input is nobody's answer (RAPID1310); an interrupt while waiting ends
    /// it (RAPID4014).
    pub fn ask(&mut self, question: &str) -> Result<String, Failure> {
        self.show(question)?;
        let cannot =
            |error: io::Error| nobody("the terminal cannot be read").cause(error.to_string());
        let mut terminal = self.terminal.try_clone().map_err(cannot)?;
        let (send, answer) = channel();
        // A read that a signal interrupts begins anew by itself, so it has a thread of its
        // own; after an interrupt the process ends and the thread with it.
        std::thread::spawn(move || send.send(read_line(&mut terminal)));
        loop {
            match answer.recv_timeout(LOOK) {
                Ok(Ok(Some(line))) => return Ok(line),
                Ok(Ok(None)) => {
                    return Err(nobody("the terminal ended before an answer was typed"));
                }
                Ok(Err(error)) => return Err(cannot(error)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(nobody("the terminal ended before an answer was typed"));
                }
                Err(RecvTimeoutError::Timeout) if self.interrupt.0.load(Ordering::Relaxed) => {
                    return Err(Failure::new(Code::Interrupted, "interrupted while asking"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// One line; `None` when the input ended before it did, or never would.
fn read_line(terminal: &mut File) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while terminal.read(&mut byte)? == 1 && line.len() < LONGEST {
        if byte[0] == b'\n' {
            return Ok(Some(String::from_utf8_lossy(&line).trim().to_owned()));
        }
        line.push(byte[0]);
    }
    Ok(None)
}

fn nobody(message: &str) -> Failure {
    Failure::new(Code::NotAPerson, message)
        .detail("layer", "terminal")
        .advice("run it yourself, in a terminal of your own")
}

//! Signals that ask the process to end become a flag that the work looks at.

use crate::check::Interrupt;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};
use std::sync::{Arc, atomic::AtomicBool};

/// A flag that Ctrl-C, `kill` and a closed terminal set. A second Ctrl-C ends the process at
/// once. When the system refuses a handler, the signal does what it always does.
pub(super) fn watch() -> Interrupt {
    let interrupt = Interrupt::default();
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the first signal finds `again` unset and sets it.
        let handlers = [
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&again)),
            flag::register(signal, Arc::clone(&again)),
            flag::register(signal, Arc::clone(&interrupt.0)),
        ];
        if handlers.iter().any(Result::is_err) {
            break;
        }
    }
    interrupt
}

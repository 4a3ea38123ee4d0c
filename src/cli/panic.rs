//! A mistake of this program: said in its own voice, with what a report needs.

use super::{failure::Failure, output::Style};
use crate::diagnostic::Code;
use std::panic::PanicHookInfo;

/// From here on a panic is told as `RAPID4019`. With `RUST_BACKTRACE` set, the language's
/// own account (with the trace) follows on standard error.
pub(super) fn install_hook(style: Style) {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // A reader that went away is not a mistake; printing again would only panic again.
        let _ = failure_of(info).report(style);
        #[expect(
            clippy::disallowed_methods,
            reason = "asked only when all else has failed"
        )]
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(info);
        }
    }));
}

fn failure_of(info: &PanicHookInfo<'_>) -> Failure {
    let said = info.payload();
    let said = said
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| said.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    let place = info
        .location()
        .map(|place| format!("{}:{}", place.file(), place.line()))
        .unwrap_or_default();
    Failure::new(
        Code::Internal,
        format!(
            "an internal error in git-rapid {}: {said}",
            env!("CARGO_PKG_VERSION")
        ),
    )
    .detail("place", place.clone())
    .cause(format!("at {place}"))
    .advice("nothing was left half done; set RUST_BACKTRACE=1 for a trace to report it with")
}

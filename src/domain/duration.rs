//! Spans of time as people write them, on the command line and in git config. What is done
//! with them does not belong here.

use std::time::Duration;

/// Why a text is no span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadDuration {
    /// Not a duration.
    #[error("a duration is a number with s, m or h, such as 90s or 15m; a bare number is seconds")]
    Form,
    /// No time at all.
    #[error("a duration of nothing would end everything at once")]
    NoTime,
}

/// Beyond this, milliseconds would not fit the numbers that records may hold.
const LONGEST: u64 = 9_000_000_000_000;

/// `90s`, `15m`, `2h`; a bare number is seconds.
///
/// # Errors
/// When it is of another form, too long to be recorded, or nothing.
pub fn parse(text: &str) -> Result<Duration, BadDuration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(BadDuration::Form),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadDuration::Form);
    }
    let number: u64 = digits.parse().map_err(|_| BadDuration::Form)?;
    let seconds = number.checked_mul(unit).ok_or(BadDuration::Form)?;
    if seconds > LONGEST {
        return Err(BadDuration::Form);
    }
    if seconds == 0 {
        return Err(BadDuration::NoTime);
    }
    Ok(Duration::from_secs(seconds))
}

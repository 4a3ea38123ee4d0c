//! Moments and durations, for people. Nothing is ever decided by them.

use crate::conductor::Lang;

/// How long ago, in one unit: `4m ago`. A moment ahead of the clock is shown as a date.
pub fn age(then: i64, now: i64, lang: Lang) -> String {
    let Some(past) = now.checked_sub(then).filter(|past| *past >= 0) else {
        return day_and_time(then);
    };
    let amount = match past {
        0..60 => {
            return if lang == Lang::Es {
                "ahora mismo".to_owned()
            } else {
                "just now".to_owned()
            };
        }
        60..3600 => format!("{}m", past / 60),
        3600..86_400 => format!("{}h", past / 3600),
        86_400..2_592_000 => format!("{}d", past / 86_400),
        _ => return day_and_time(then),
    };
    match lang {
        Lang::En => format!("{amount} ago"),
        Lang::Es => format!("hace {amount}"),
    }
}

/// `2030-01-01 12:04 UTC`: without a zone file, so the same on every machine.
pub fn day_and_time(seconds: i64) -> String {
    match jiff::Timestamp::from_second(seconds) {
        Ok(moment) => moment.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => format!("@{seconds}"),
    }
}

/// `350 ms`, `4.2 s`, `3m 05s`.
pub fn duration(milliseconds: u64) -> String {
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        1000..60_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        _ => {
            let seconds = milliseconds / 1000;
            format!("{}m {:02}s", seconds / 60, seconds % 60)
        }
    }
}

//! Numbers and the words behind them, which most summaries are made of.

/// A number at the start, and what follows it.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let end = text
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// A number, a blank and a word or more: `3 failed`.
pub(super) fn counted(text: &str) -> Option<(u64, &str)> {
    let (count, rest) = number(text.trim())?;
    let word = rest.strip_prefix(' ')?.trim();
    (!word.is_empty()).then_some((count, word))
}

/// Several of them; `None` when any part is something else.
pub(super) fn counted_list<'a>(text: &'a str, separator: &str) -> Option<Vec<(u64, &'a str)>> {
    text.split(separator).map(counted).collect()
}

/// A word, then a number: `failed: 3`, `Failures: 1`, `failures=1`.
pub(super) fn labelled<'a>(text: &'a str, between: &str) -> Option<(&'a str, u64)> {
    let (word, count) = text.split_once(between)?;
    let (count, rest) = number(count.trim())?;
    rest.is_empty().then_some((word.trim(), count))
}

/// Several of them; `None` when any part is something else.
pub(super) fn labelled_list<'a>(
    text: &'a str,
    separator: &str,
    between: &str,
) -> Option<Vec<(&'a str, u64)>> {
    text.split(separator)
        .map(|part| labelled(part, between))
        .collect()
}

/// The number of the first of `wanted` that is there, else 0.
pub(super) fn labelled_as(list: &[(&str, u64)], wanted: &[&str]) -> u64 {
    list.iter()
        .find(|(word, _)| wanted.contains(word))
        .map_or(0, |(_, count)| *count)
}

/// The sum of the numbers whose word is one of `wanted`.
pub(super) fn counted_as(list: &[(u64, &str)], wanted: &[&str]) -> u64 {
    list.iter()
        .filter(|(_, word)| wanted.contains(word))
        .fold(0, |sum, (count, _)| sum.saturating_add(*count))
}

/// Whether it reads like a number of seconds: `0.02s`, `1.5 seconds`, `83.20s (0:01:23)`.
pub(super) fn is_seconds(text: &str) -> bool {
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    digits.len() < text.len()
        && (digits == "s" || digits.starts_with("s (") || digits.starts_with(" second"))
}

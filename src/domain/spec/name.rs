//! A spec's id from its title.

use crate::domain::id::SpecId;

/// Transliterates to ASCII, lowercases, turns other runs into `-`, trims, cuts at 63.
/// `None` when nothing is left (a title of punctuation only).
pub fn spec_id_from_title(title: &str) -> Option<SpecId> {
    const LONGEST: usize = 63;
    let ascii = deunicode::deunicode_with_tofu(title, "-").to_ascii_lowercase();
    let words = ascii.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut id = words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join("-");
    id.truncate(LONGEST);
    id.trim_end_matches('-').parse().ok()
}

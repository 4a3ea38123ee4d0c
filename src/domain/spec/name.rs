//! A spec's id from its title.

use crate::domain::id::SpecId;

/// Transliterates to ASCII, lowercases, turns other runs into `-`, trims, cuts at 63.
/// `None` when nothing is left (a title of punctuation only).
pub fn spec_id_from_title(title: &str) -> Option<SpecId> {
    let _ = title;
    todo!()
}

//! `post-rewrite`: which commit came of which, after an amend or a rebase.

use super::{Answer, Call, Error};
use crate::{
    domain::oid::{CommitId, Oid},
    porcelain::{Context, milestone},
};

pub(super) fn run(ctx: &Context<'_>, call: &Call) -> Result<Answer, Error> {
    let text = String::from_utf8_lossy(&call.stdin);
    let mut pairs = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        // Git may add words after the two ids.
        let mut words = line.split(' ').map(Oid::from_hex);
        match (words.next().flatten(), words.next().flatten()) {
            (Some(old), Some(new)) => pairs.push((CommitId(old), CommitId(new))),
            _ => {
                return Err(Error::Call {
                    hook: "post-rewrite",
                    found: line.to_owned(),
                });
            }
        }
    }
    milestone::after_rewrite(ctx, &pairs)?;
    Ok(Answer::GoOn)
}

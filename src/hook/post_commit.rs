//! `post-commit`: the record of the commit that was made.

use super::{Answer, Call, Error};
use crate::porcelain::{Context, milestone};

pub(super) fn run(ctx: &Context<'_>, _: &Call) -> Result<Answer, Error> {
    milestone::after_commit(ctx)?;
    Ok(Answer::GoOn)
}

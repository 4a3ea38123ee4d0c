//! `pre-merge-commit`: the early word for a merge that git could do by itself. What it
//! brings in has passed its own door; what is judged is the tree that comes of it.

use super::{Answer, Call, Error, judged};
use crate::porcelain::Context;

pub(super) fn run(ctx: &Context<'_>, _: &Call) -> Result<Answer, Error> {
    judged(ctx)
}

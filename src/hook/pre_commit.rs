//! `pre-commit`: the early word, before a message is asked for.

use super::{Answer, Call, Error, judged};
use crate::porcelain::Context;

pub(super) fn run(ctx: &Context<'_>, _: &Call) -> Result<Answer, Error> {
    judged(ctx)
}

//! `commit-msg`: the rule on the index as it will be committed, whatever another hook did
//! to it meanwhile; then the trailers.

use super::{Answer, Call, Error, answer};
use crate::porcelain::{Context, door};

pub(super) fn run(ctx: &Context<'_>, call: &Call) -> Result<Answer, Error> {
    let [file] = call.arguments.as_slice() else {
        return Err(Error::Call {
            hook: "commit-msg",
            found: format!("{} arguments", call.arguments.len()),
        });
    };
    let ruling = door::judge_next_commit(ctx)?;
    if ruling
        .objection
        .as_ref()
        .is_none_or(|found| found.only_said)
    {
        door::write_trailers(ctx, &ctx.cwd.join(file), &ruling)?;
    }
    Ok(answer(ruling.objection))
}

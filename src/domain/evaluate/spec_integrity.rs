//! `spec.integrity`: are the spec's bytes those that were agreed on?

use super::{Assertion, Reason, case::Case, judgement::Judgement};

pub(super) fn assertions(case: &Case<'_>) -> Vec<Assertion> {
    let agreed = case.contract.acceptance_digest;
    let judgement = match case.input.spec_bytes {
        Some(digest) if digest == agreed => Judgement::pass(Reason::BytesMatch),
        Some(digest) => Judgement::fail(Reason::BytesDiffer).fact("found", digest.hex()),
        None => Judgement::unverified(Reason::BytesMissing),
    };
    vec![
        judgement
            .fact("agreed", agreed.hex())
            .decided_by([case.run.contract_digest])
            .asserted("spec.integrity".to_owned(), true),
    ]
}

//! How far an assertion is trusted.

use super::build::*;
use git_rapid::domain::{
    evaluate::{Trust, trust},
    vocabulary::Mode,
};

#[test]
fn every_deciding_record_must_be_signed_or_run_again() {
    let mut story = Story::good(Mode::Refactor);
    let assertion = story.assertion("tests.not-fewer");
    let [one, other] = assertion.records[..] else {
        panic!("{:?}", assertion.records)
    };
    let level = |story: &Story, again: &[_]| trust(&assertion, &story.facts.signatures, again);
    assert_eq!(level(&story, &[]), Trust::Asserted);
    story.signed(one, "rita@example.org");
    assert_eq!(level(&story, &[]), Trust::Asserted);
    story.signed(other, "rita@example.org");
    assert_eq!(level(&story, &[]), Trust::Signed);
    assert_eq!(level(&story, &[one]), Trust::Signed);
    assert_eq!(level(&story, &[one, other]), Trust::Reproduced);
}

#[test]
fn what_names_no_record_is_asserted() {
    let story = Story::good(Mode::Direct);
    let assertion = story.assertion("scope.paths");
    assert_eq!(trust(&assertion, &[], &story.heads), Trust::Asserted);
}

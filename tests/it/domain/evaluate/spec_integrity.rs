//! `spec.integrity`.

use super::build::*;
use git_rapid::domain::{
    digest::Digest,
    vocabulary::{
        AssertionStatus::{Fail, Pass, Unverified},
        Mode,
    },
};

#[test]
fn the_spec_is_the_one_that_was_agreed_on() {
    let mut story = Story::good(Mode::Direct);
    assert!(story.says("spec.integrity", Pass, "bytes_match").required);
    story.spec_bytes = Some(Digest::of(b"another"));
    story.says("spec.integrity", Fail, "bytes_differ");
    story.spec_bytes = None;
    story.says("spec.integrity", Unverified, "bytes_missing");
}

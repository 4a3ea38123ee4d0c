//! A stored report, judged again.

use super::build::*;
use git_rapid::domain::{
    canonical,
    digest::Digest,
    evaluate::{Replay, ReplayError, Report, replay},
    producer::Producer,
    record::Record,
    vocabulary::{Mode, Verdict},
};

fn again(story: &Story, report: &Report) -> Result<Replay, ReplayError> {
    replay(
        run_id(),
        &story.records,
        report,
        &story.policy,
        story.spec_bytes,
    )
}

#[test]
fn a_report_replays_to_the_same_bytes_whatever_follows() {
    for mode in Mode::ALL {
        let mut story = Story::good(*mode).told_to_the_end();
        let report = story.judge_told();
        assert_eq!(report.prev, story.heads);
        assert_eq!(again(&story, &report), Ok(Replay::Same));
        // Later records are not in its closure.
        story.add(Producer::rapid("finish"), report.clone());
        story.ran(ran(1).red(&["late"]));
        story.records.reverse();
        assert_eq!(again(&story, &report), Ok(Replay::Same));
    }
}

#[test]
fn a_forged_report_does_not_replay() {
    let mut story = Story::good(Mode::Direct);
    story.ran(ran(3).red(&["a"]));
    let story = story.told_to_the_end();
    let honest = story.judge_told();
    assert_eq!(honest.verdict, Verdict::Fail);
    let mut forged = honest.clone();
    forged.verdict = Verdict::Pass;
    assert_eq!(
        again(&story, &forged),
        Ok(Replay::Differs(Box::new(honest.clone())))
    );
    let mut forged = honest.clone();
    forged.assertions.pop();
    assert!(matches!(again(&story, &forged), Ok(Replay::Differs(_))));
    // Nor one that closes its eyes to the red result.
    let mut blind = honest.clone();
    blind.prev = vec![story.records[0].digest];
    assert!(matches!(again(&story, &blind), Ok(Replay::Differs(_))));
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let story = Story::good(Mode::Direct).told_to_the_end();
    let report = story.judge_told();
    let mut unknown = report.clone();
    unknown.prev = vec![Digest::of(b"nowhere")];
    assert_eq!(
        again(&story, &unknown),
        Err(ReplayError::Missing(Digest::of(b"nowhere")))
    );
    let mut other = report.clone();
    other.ruleset_version = 2;
    assert!(matches!(
        again(&story, &other),
        Err(ReplayError::Ruleset(_))
    ));
    let mut nothing = report;
    nothing.prev.clear();
    assert!(matches!(again(&story, &nothing), Err(ReplayError::Fold(_))));
}

#[test]
fn a_report_is_stored_and_read_unchanged() {
    let mut story = Story::good(Mode::Bugfix).told_to_the_end();
    let report = story.judge_told();
    let bytes = canonical::to_bytes(&report);
    assert_eq!(canonical::from_canonical::<Report>(&bytes).unwrap(), report);
    assert!(!String::from_utf8_lossy(&bytes).contains("\"trust\""));
    story.add(Producer::rapid("finish"), report);
    let record = story.records.last().unwrap();
    assert_eq!(&Record::read(&record.canonical_bytes()).unwrap(), record);
}

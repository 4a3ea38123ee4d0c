//! What no program on the same machine can be kept from: whoever writes git objects can write
//! a record in anybody's name. It is well-formed, so it counts; and it is never said to be
//! more than somebody's word.

use crate::support::doubler;
use git_rapid::{
    domain::{
        event::{Event, EventCode, EventSubject},
        evidence::{Evidence, Judged, Payload, Review},
        id::GateId,
        oid::TreeId,
        producer::Producer,
        vocabulary::{Outcome, ReviewType},
    },
    git::{OpenOptions, Repository},
    ledger::{self, Draft, Ledger, StreamName},
};

#[test]
fn an_approval_forged_with_plumbing_is_asserted_and_no_more() {
    let sandbox = doubler::committed_feature();
    let repo = Repository::open(&OpenOptions {
        start: sandbox.dir().to_owned(),
        environment: sandbox.environment(),
    })
    .unwrap();
    let tree = sandbox.rapid_json(&["status"])["tree"]
        .as_str()
        .unwrap()
        .to_owned();
    let gate: GateId = "gate.final-verification".parse().unwrap();
    let mut review = Evidence::of(Payload::Review(Review {
        review_type: ReviewType::Final,
        outcome: Outcome::Approved,
        reviewer: "A Person <person@example.org>".into(),
        via: "terminal".to_owned(),
        judged: Judged::Tree(TreeId(tree.parse().unwrap())),
        text: None,
    }));
    review.gates = vec![gate.clone()];
    let event = Event {
        subject: EventSubject::Gate(gate),
        from: Some("pending".to_owned()),
        to: Some("acknowledged".to_owned()),
        code: EventCode::Approved,
        reason: None,
    };
    let name = StreamName::Run("double-more-r1-run-001".parse().unwrap());
    let forged = Ledger::new(&repo).append(&name, |_| -> Result<_, ledger::Error> {
        Ok(Some(Draft {
            subject: "approved final-verification".to_owned(),
            records: vec![
                (Producer::User, review.clone().into()),
                (Producer::User, event.clone().into()),
            ],
            artifacts: Vec::new(),
            subject_tree: None,
            journal: None,
        }))
    });
    forged.unwrap().expect("it was written");
    let done = sandbox.rapid(&["finish", "--json"]).ended(0).json();
    assert_eq!(done["outcome"]["verdict"], "pass", "{done:#}");
    let report = sandbox.rapid_json(&["--run", "double-more-r1-run-001", "eval", "run"]);
    let gate = report["assertions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|found| found["id"] == "gate.gate.final-verification.evidence")
        .unwrap();
    assert_eq!(gate["trust"], "asserted", "{gate:#}");
    let verify = sandbox.rapid_json(&["verify", "HEAD"]);
    assert_eq!(verify["commits"][0]["trust"], "asserted", "{verify:#}");
}

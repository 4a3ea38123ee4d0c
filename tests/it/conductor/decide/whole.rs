//! What holds of every row.

use super::*;

#[test]
fn a_waiver_of_the_tests_holds_for_its_tree() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.edit((9, 1));
    command(&mut world, "git rapid check");
    assert_eq!(world.next().action.kind, ActionKind::Verify);
    let tests = GateKind::ImplementationTests.gate_id();
    world.person(&tests, Outcome::Waived);
    let commit = world.next().action;
    assert_eq!(commit.kind, ActionKind::Commit, "{commit:?}");
    assert!(world.command(&commit.command.unwrap()));
    world.edit((8, 1));
    command(&mut world, "git rapid check");
    assert_eq!(told(&world.next()).1, Why::Red);
}

#[test]
fn gates_are_satisfied_by_evidence_and_never_human_ones() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    world.person(&GateKind::FinalVerification.gate_id(), Outcome::Approved);
    let run = world.run();
    let facts = world.facts();
    let satisfied = |kind: GateKind, on: u16| {
        gate_satisfied(
            &run,
            &run.state,
            &facts,
            &world.policy,
            tree(on),
            &kind.gate_id(),
        )
    };
    assert!(satisfied(GateKind::ImplementationTests, world.tree));
    assert!(!satisfied(GateKind::ImplementationTests, 77));
    assert!(!satisfied(GateKind::FinalVerification, world.tree));
    assert!(
        !satisfied(GateKind::PeerReview, world.tree),
        "not in the contract"
    );
}

#[test]
fn texts_speak_spanish_and_stay_short() {
    let mut world = active(contract(Mode::Feature));
    world.work(MORE);
    let commit = world.next().action.command.unwrap();
    world.command(&commit);
    let review = crate::support::story::review(
        ReviewType::Final,
        Outcome::ChangesRequested,
        Judged::Tree(tree(world.tree)),
    );
    let mut long = review;
    if let git_rapid::domain::evidence::Payload::Review(review) = &mut long.payload {
        review.text = Some("ñ{gates}".repeat(900));
    }
    world.story.add(Producer::User, long);
    world.playbook_lang = Lang::Es;
    let next = world.next();
    let text = next.context.unwrap().why.unwrap().text;
    assert!(text.starts_with("quien revisa pide cambios"), "{text}");
    assert!(
        text.len() <= 2_000 && text.contains("ñ{gates}"),
        "a fact is not read as a place"
    );
    assert!(next.action.instructions.len() <= 2_000);
}

#[test]
fn unused_keys_are_left_out() {
    let mut world = active(contract(Mode::Direct));
    let document = serde_json::to_value(world.next()).unwrap();
    let keys = |value: &serde_json::Value| -> Vec<String> {
        let mut keys: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    assert_eq!(
        keys(&document),
        [
            "action",
            "awaiting_human",
            "context",
            "missing",
            "mode",
            "outcome",
            "progress",
            "run_id",
            "schema_version"
        ]
    );
    assert_eq!(
        keys(&document["action"]),
        ["after", "command", "instructions", "kind", "task_id"]
    );
    assert_eq!(
        keys(&document["context"]),
        ["cwd", "missing", "never", "scope", "task", "who", "why"]
    );
    assert!(document["outcome"].is_null());
    command(&mut world, "git rapid abort");
    let document = serde_json::to_value(world.next()).unwrap();
    assert_eq!(keys(&document["context"]), ["cwd", "who", "why"]);
}

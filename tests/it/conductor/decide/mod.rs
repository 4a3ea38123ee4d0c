//! Each row of the conductor's table, by a scene in which it is the first that applies.

mod before_work;
mod verdict;
mod whole;
mod work;

use crate::conductor::world::{World, leads_on, shown};
use crate::support::story::{
    START, check_verb, checked, contract, event, gate, path, result, task, tree,
};
use git_rapid::{
    conductor::{
        ActionKind, Lang, NextAction, NoSnapshot, Who, Why, WhyNoSnapshot, gate_satisfied,
        without_run,
    },
    domain::{
        amendment::{Amendment, Author},
        contract::Contract,
        evidence::Judged,
        gate::GateKind,
        id::TaskId,
        producer::Producer,
        vocabulary::{
            Expectation, Mode, Note, Outcome, ReviewType, Risk, RunStatus, TaskStatus, Verdict,
        },
    },
};

const GREEN: (u64, u64) = (3, 0);

const MORE: (u64, u64) = (4, 0);

const RED: (u64, u64) = (3, 1);

/// The action in short, and that it leads on.
#[track_caller]
fn told(next: &NextAction) -> (ActionKind, Why, Option<String>, Option<String>) {
    assert!(leads_on(next), "{next:?}");
    let context = next.context.as_ref().unwrap();
    let why = context.why.as_ref().unwrap();
    assert!(why.text.len() <= 2_000 && !why.text.is_empty());
    assert!(!why.text.contains('{'), "{}", why.text);
    assert!(next.action.instructions.len() <= 2_000);
    assert_eq!(context.never.is_some(), {
        context.who == Who::Agent && next.action.kind != ActionKind::Done
    });
    assert_eq!(context.tell_human.is_some(), context.who == Who::Human);
    (
        next.action.kind,
        why.code,
        shown(&next.action.command),
        shown(&next.action.after),
    )
}

#[track_caller]
fn expect(
    world: &World,
    kind: ActionKind,
    why: Why,
    command: Option<&str>,
    after: Option<&str>,
) -> NextAction {
    let next = world.next();
    assert_eq!(
        told(&next),
        (
            kind,
            why,
            command.map(str::to_owned),
            after.map(str::to_owned)
        ),
        "{next:#?}"
    );
    next
}

fn active(contract: Contract) -> World {
    let mut world = World::new(contract, GREEN);
    world.activate();
    world
}

fn command(world: &mut World, line: &str) -> bool {
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    world.command(&words)
}

fn critical() -> Contract {
    let mut contract = contract(Mode::Hardening);
    contract.risk = Risk::Critical;
    contract.gates.insert(2, gate(GateKind::ManualApproval));
    contract
}

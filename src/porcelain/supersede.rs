//! `supersede`: ends a run and starts its successor from the same place.
//!
//! Same spec unless another is given; same base, start tree and bystanders. What was
//! measured on the start tree is copied, not repeated.

use super::{
    Context, Error, append, end,
    error::refuse,
    judge, observe, session, spec_store,
    start::{self, ContractParts},
    target::{self, Place, Target},
};
use crate::{
    conductor::NextAction,
    diagnostic::Code,
    domain::{
        contract::{Base, Scope},
        event::EventCode,
        evidence::{CheckResult, Evidence},
        gate::GateKind,
        path::RepoPath,
        policy::{self, PolicyDocument, Request as PolicyRequest},
        producer::Producer,
        record::Body,
        run::Run,
        spec::Spec,
        vocabulary::{Expectation, Mode, Note, Risk, RunStatus, Workspace},
    },
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Another mode.
    pub mode: Option<Mode>,
    /// Another spec's bytes.
    pub spec: Option<Vec<u8>>,
    /// More care than the rules ask.
    pub risk: Option<Risk>,
    /// Why.
    pub reason: Option<String>,
}

/// Ends the run and starts its successor; gives the successor's next action.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<NextAction, Error> {
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    end::require_reason(ctx, request.reason.as_ref(), "supersede")?;
    let (spec, bytes) = spec_of(&place, &run, request)?;
    if !spec.not_ready().is_empty() {
        return Err(refuse(
            Code::SpecLifecycle,
            "the spec is not ready: it needs a task, a criterion and no open question",
        )
        .hint(
            "see the form of a spec",
            &["git", "rapid", "spec", "template"],
        )
        .into());
    }
    let policy = PolicyDocument::built_in();
    let decision = policy::decide(
        &spec,
        &PolicyRequest {
            risk: request.risk,
            checks: &run.contract.checks,
            base_is_empty: place.read_tree(run.contract.base.tree)?.is_empty(),
            has_architecture: false,
            policy: &policy,
        },
    )
    .map_err(|why| start::not_eligible(&spec, &run.contract.checks, &why))?;
    let isolate = decision.workspace == Workspace::Isolated && place.worktree_id() == "main";
    if isolate {
        refuse_uncommitted(&place, &run)?;
    }
    // Nothing above wrote anything; from here on the old run is over.
    let old = end::end(
        ctx,
        &place,
        &run,
        RunStatus::Superseded,
        EventCode::Superseded,
        "supersede",
        request.reason.clone(),
    )?;
    let stored = spec_store::store(&ctx.repo, &spec, &bytes)?;
    let id = start::next_run_id(&ctx.repo, &stored.id, stored.revision.revision)?;
    let head = place.head()?.commit;
    let made = if isolate {
        Some(start::make_worktree(ctx, &id, None, head)?)
    } else {
        None
    };
    let new_place = match &made {
        Some(info) => Place::There(Box::new(ctx.repo.open_worktree(info)?)),
        None => place,
    };
    let base = &old.contract.base;
    let scope: Scope = start::scope_of(&ctx.repo, base.tree, &spec)?;
    let contract = start::contract_of(
        ctx,
        ContractParts {
            spec: &spec,
            stored: &stored,
            decision: &decision,
            base: Base {
                commit: base.commit,
                tree: base.tree,
                start_tree: base.start_tree,
            },
            bystanders: &old.contract.bystanders,
            scope,
            checks: &old.contract.checks,
            policy: &policy,
            predecessor: Some(old.contract_digest),
        },
    )?;
    let successor = start::open_run(ctx, &new_place, &id, contract, &stored.bytes, &policy)?
        .ok_or_else(|| start::name_taken(&id))?;
    if let Some(info) = &made {
        start::remember_elsewhere(ctx, &successor.id, successor.contract_digest, info)?;
    }
    session::bind(&new_place, &successor.id, successor.contract_digest)?;
    let successor = copy_baseline(&new_place, &old, successor)?;
    let successor = start::go_on(ctx, &new_place, successor)?;
    judge::next_of(ctx, &new_place, &successor)
}

fn spec_of(place: &Place<'_>, run: &Run, request: &Request) -> Result<(Spec, Vec<u8>), Error> {
    let bytes = match &request.spec {
        Some(bytes) => bytes.clone(),
        None => crate::ledger::Ledger::new(place).artifact(
            &crate::ledger::StreamName::Run(run.id.clone()),
            run.contract.acceptance_digest,
        )?,
    };
    let mut spec = spec_store::read(&bytes)?;
    match request.mode {
        Some(mode) if mode != spec.mode => {
            spec.mode = mode;
            let bytes =
                crate::domain::canonical::to_bytes(&crate::domain::spec::template_json(&spec));
            Ok((spec_store::read(&bytes)?, bytes))
        }
        _ => Ok((spec, bytes)),
    }
}

/// A worktree of its own starts at HEAD: work that is not committed would stay behind.
fn refuse_uncommitted(place: &Place<'_>, run: &Run) -> Result<(), Error> {
    let snapshot = observe::snapshot(place, run, &[])?
        .map_err(|refused| observe::refuse_no_snapshot(&refused))?;
    let head = match place.head()?.commit {
        Some(commit) => place.tree_of(commit)?,
        None => place.empty_tree(),
    };
    let paths: Vec<RepoPath> = place
        .diff_trees(head, snapshot.tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    if paths.is_empty() {
        return Ok(());
    }
    Err(refuse(
        Code::Precondition,
        format!(
            "the successor lives in a worktree of its own and would not see: {}",
            observe::list_paths(&paths)
        ),
    )
    .detail("paths", observe::paths_value(&paths))
    .hint("commit it first", &["git", "rapid", "commit", "-a"])
    .hint("or put it aside", &["git", "stash"])
    .into())
}

/// What the old run measured on the start tree holds for the new one, as its baseline or not:
/// copied with a note.
fn copy_baseline(place: &Place<'_>, old: &Run, new: Run) -> Result<Run, Error> {
    let gate = GateKind::BaselineCheck.gate_id();
    if !new.state.gates.contains_key(&gate) {
        return Ok(new);
    }
    let copies: Vec<(Producer, Body)> = old
        .evidence
        .iter()
        .filter(|record| {
            let on_start = |result: &CheckResult| {
                result.subject.tree == new.contract.base.start_tree
                    && result.expectation == Expectation::Pass
                    && record.producer.is_rapid("check")
                    && (new.contract.checks.iter())
                        .any(|check| check.argv == result.argv && check.cwd == result.cwd)
            };
            record
                .body
                .check()
                .is_some_and(|result| record.body.gates.contains(&gate) || on_start(result))
        })
        .map(|record| {
            let mut copy: Evidence = record.body.clone();
            // Tasks and criteria of the old run may be others now.
            copy.gates = vec![gate.clone()];
            copy.tasks.clear();
            copy.acceptance.clear();
            copy.notes.push(Note::Cached);
            copy.notes.sort();
            copy.notes.dedup();
            (record.producer.clone(), Body::from(copy))
        })
        .collect();
    if copies.is_empty() {
        return Ok(new);
    }
    let id = new.id.clone();
    Ok(append::to_run(place, &id, |_| {
        Ok(Some(append::draft("baseline taken over", copies.clone())))
    })?
    .0)
}

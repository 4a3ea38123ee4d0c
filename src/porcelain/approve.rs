//! `approve`: a person's judgement, typed at a terminal.
//!
//! Two steps, so that the command line can show the screen and ask for the phrase between
//! them: [`prepare`] asks every layer of the person rule and gathers what is judged,
//! [`record`] checks the phrase and appends.

use super::{
    Context, Error, append, baseline,
    error::refuse,
    milestone,
    review::{self, Screen, View},
};
use crate::{
    diagnostic::{Code, Refusal},
    domain::{
        contract::Gate,
        event::EventCode,
        evidence::{Evidence, Judged, Payload, Review},
        id::{GateId, RunId},
        person::{self, NotAPerson},
        producer::Producer,
        record::Body,
        run::{Run, is_waivable},
        vocabulary::{GateStatus, Note, Outcome as Said, Phase, ReviewType, RunStatus},
    },
};
use serde::Serialize;

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The gates; none: all that wait.
    pub gates: Vec<GateId>,
    /// What is said.
    pub say: Said,
    /// Why.
    pub reason: Option<String>,
    /// A commit of this clone instead of the bound worktree.
    pub commit: Option<String>,
    /// Accept that the pinned test command cannot be counted.
    pub test_command: bool,
}

/// What a person is shown and asked.
pub struct Prepared<'c> {
    /// What is judged.
    pub screen: Screen,
    /// The phrase to type, in the reader's language.
    pub phrase: String,
    what: String,
    items: Vec<Item>,
    view: View<'c>,
}

/// One thing that is judged.
struct Item {
    gate: Option<Gate>,
    review_type: ReviewType,
    judged: Judged,
    text: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// What was said.
    pub outcome: Said,
    /// The gates it was said of.
    pub gates: Vec<GateId>,
    /// The run's state now.
    pub status: RunStatus,
}

/// Asks every layer of the person rule.
///
/// `verb` is what the person is to run instead.
pub(super) fn require_person(ctx: &Context<'_>, verb: &[&str]) -> Result<(), Error> {
    person::check_person(&ctx.caller).map_err(|why| not_a_person(&why, verb).into())
}

/// The refusal of a caller who is not a person, saying which layer refused.
pub fn not_a_person(why: &NotAPerson, verb: &[&str]) -> Refusal {
    let (layer, fact) = match why {
        NotAPerson::NoTerminal => ("terminal", "there is no interactive terminal".to_owned()),
        NotAPerson::AgentMarker(name) => (
            "agent_marker",
            format!("{name} is set: a coding agent is at work"),
        ),
        NotAPerson::AgentAncestor(name) => (
            "agent_ancestor",
            format!("{name} started this: a coding agent is at work"),
        ),
    };
    refuse(
        Code::NotAPerson,
        format!("only a person may do this: {fact}"),
    )
    .detail("layer", layer)
    .hint("a person runs, in a terminal of their own", verb)
}

/// Gathers what is judged.
pub fn prepare<'c>(ctx: &'c Context<'_>, request: &Request) -> Result<Prepared<'c>, Error> {
    require_person(ctx, &["git", "rapid", "approve"])?;
    ctx.repo.committer()?;
    let view = review::view(ctx, request.commit.as_deref())?;
    super::check::refuse_ended(&view.run)?;
    let screen = review::screen(&view, true)?;
    let items = if request.test_command {
        test_command(&view)?
    } else {
        gate_items(&view, &screen, request)?
    };
    if matches!(
        request.say,
        Said::Waived | Said::Rejected | Said::ChangesRequested
    ) && reason_is_empty(request)
    {
        return Err(refuse(
            if request.say == Said::Waived {
                Code::GateMove
            } else {
                Code::Precondition
            },
            "this needs a reason that others can read",
        )
        .hint(
            "say why",
            &[
                "git",
                "rapid",
                "approve",
                option_of(request.say),
                "--reason",
                "<why>",
            ],
        )
        .into());
    }
    let what = items
        .iter()
        .map(|item| match (&item.gate, &item.text) {
            (Some(gate), _) => gate.id.as_str().trim_start_matches("gate.").to_owned(),
            (None, text) => text.clone().unwrap_or_default(),
        })
        .collect::<Vec<_>>()
        .join(" ");
    Ok(Prepared {
        phrase: person::phrase(kind_of(request), &what, ctx.lang.as_str()),
        screen,
        what,
        items,
        view,
    })
}

fn kind_of(request: &Request) -> person::Phrase {
    if request.test_command {
        person::Phrase::Accept
    } else {
        request.say.into()
    }
}

fn option_of(say: Said) -> &'static str {
    match say {
        Said::Waived => "--waive",
        Said::Rejected => "--reject",
        Said::ChangesRequested => "--request-changes",
        Said::Approved => "--reason",
    }
}

fn reason_is_empty(request: &Request) -> bool {
    request
        .reason
        .as_ref()
        .is_none_or(|reason| reason.trim().is_empty())
}

/// The gates that are judged: those named, else all that wait.
fn gate_items(view: &View<'_>, screen: &Screen, request: &Request) -> Result<Vec<Item>, Error> {
    let run = &view.run;
    let chosen: Vec<GateId> = if request.gates.is_empty() {
        screen.waiting.clone()
    } else {
        request.gates.clone()
    };
    if chosen.is_empty() {
        return Err(refuse(Code::Precondition, "nothing waits for a person now")
            .hint("see what comes next", &["git", "rapid", "next"])
            .into());
    }
    let mut items = Vec::new();
    for id in chosen {
        let gate = run
            .contract
            .gates
            .iter()
            .find(|gate| gate.id == id)
            .ok_or_else(|| {
                let known: Vec<&str> = run
                    .contract
                    .gates
                    .iter()
                    .map(|gate| gate.id.as_str())
                    .collect();
                refuse(
                    Code::GateMove,
                    format!("{} has no {id}; it has {}", run.id, known.join(", ")),
                )
                .detail("gate", id.as_str())
                .detail("known", known)
            })?;
        items.push(item_of(view, gate, request.say)?);
    }
    Ok(items)
}

fn item_of(view: &View<'_>, gate: &Gate, say: Said) -> Result<Item, Error> {
    let run = &view.run;
    if say == Said::Waived && !is_waivable(run, gate) {
        return Err(
            refuse(Code::GateMove, format!("{} cannot be waived", gate.id))
                .detail("gate", gate.id.as_str())
                .detail("risk", run.contract.risk.as_str())
                .into(),
        );
    }
    if !gate.human && say != Said::Waived {
        return Err(refuse(
            Code::GateMove,
            format!("{} is closed by evidence, not by a person", gate.id),
        )
        .detail("gate", gate.id.as_str())
        .hint("see what is missing", &["git", "rapid", "next"])
        .into());
    }
    let due = match gate.phase {
        Phase::Pre => run.state.status == RunStatus::Prepared,
        Phase::Post => run.state.status == RunStatus::Active && run.state.tasks_are_terminal(),
    };
    // A reviewer may ask for changes or reject while the work goes on; approving is for its end.
    let early = matches!(say, Said::Rejected | Said::ChangesRequested)
        && run.state.status == RunStatus::Active;
    if !due && !early {
        return Err(refuse(
            Code::Precondition,
            match gate.phase {
                Phase::Pre => format!(
                    "{} is due before the work, and {} is {}",
                    gate.id, run.id, run.state.status
                ),
                Phase::Post => format!("{} is due when every task is done", gate.id),
            },
        )
        .detail("gate", gate.id.as_str())
        .hint("see what comes next", &["git", "rapid", "next"])
        .into());
    }
    let review_type = gate.kind.row().review.ok_or_else(|| {
        refuse(
            Code::GateMove,
            format!("{} is not a person's to close", gate.id),
        )
        .detail("gate", gate.id.as_str())
    })?;
    Ok(Item {
        judged: match gate.phase {
            Phase::Pre => Judged::Contract(run.contract_digest),
            Phase::Post => Judged::Tree(view.subject),
        },
        gate: Some(gate.clone()),
        review_type,
        text: None,
    })
}

/// The pinned checks that are green on this tree and cannot be counted.
fn test_command(view: &View<'_>) -> Result<Vec<Item>, Error> {
    let run = &view.run;
    let uncounted: Vec<&str> = run
        .contract
        .checks
        .iter()
        .filter(|check| {
            run.evidence.iter().rev().find_map(|record| {
                let result = record.body.check()?;
                (result.argv == check.argv
                    && result.cwd == check.cwd
                    && record.producer.is_rapid("check"))
                .then(|| {
                    result.exit_code == Some(0)
                        && result.counts.is_none()
                        && result.subject.stable
                        && !record.body.notes.contains(&Note::Incomplete)
                })
            }) == Some(true)
        })
        .map(|check| check.name.as_str())
        .collect();
    if uncounted.is_empty() {
        return Err(
            refuse(Code::Precondition, "no pinned check is green and uncounted")
                .hint("run it first", &["git", "rapid", "check"])
                .into(),
        );
    }
    Ok(uncounted
        .into_iter()
        .map(|name| Item {
            gate: None,
            review_type: ReviewType::TestCommand,
            judged: Judged::Contract(run.contract_digest),
            text: Some(name.to_owned()),
        })
        .collect())
}

/// Checks the phrase and appends what was said.
pub fn record(
    ctx: &Context<'_>,
    request: &Request,
    prepared: &Prepared<'_>,
    typed: &str,
) -> Result<Outcome, Error> {
    if !person::phrase_matches(typed, kind_of(request), &prepared.what) {
        return Err(refuse(
            Code::WrongPhrase,
            format!("nothing was recorded: the phrase is {:?}", prepared.phrase),
        )
        .detail("phrase", prepared.phrase.as_str())
        .into());
    }
    let view = &prepared.view;
    let run = if view.commit.is_none() {
        milestone::recover(&view.place, view.run.clone())?
    } else {
        view.run.clone()
    };
    let reviewer = ctx.repo.committer()?.signature();
    let gates: Vec<GateId> = prepared
        .items
        .iter()
        .filter_map(|item| item.gate.as_ref())
        .map(|gate| gate.id.clone())
        .collect();
    let id = run.id.clone();
    let (run, _) = append::to_run(&view.place, &id, |run| {
        let mut records: Vec<(Producer, Body)> = Vec::new();
        for item in &prepared.items {
            let mut evidence = Evidence::of(Payload::Review(Review {
                review_type: item.review_type,
                outcome: request.say,
                reviewer: reviewer.clone(),
                via: "terminal".to_owned(),
                judged: item.judged,
                text: item.text.clone().or_else(|| request.reason.clone()),
            }));
            evidence.gates = item.gate.iter().map(|gate| gate.id.clone()).collect();
            records.push((Producer::User, evidence.into()));
            if let Some(event) = closing_event(run, item, request)? {
                records.push((Producer::User, event));
            }
        }
        let subject = format!(
            "{} {}",
            request.say.as_str().replace('_', " "),
            prepared.what
        );
        Ok(Some(append::draft(subject, records)))
    })?;
    let run = if run.state.status == RunStatus::Prepared && request.commit.is_none() {
        baseline::activate(&view.place, run, "resume")?
    } else {
        run
    };
    Ok(Outcome {
        schema_version: 1,
        status: run.state.status,
        run_id: run.id,
        outcome: request.say,
        gates,
    })
}

/// The event that closes the gate, when it is open and the word closes it.
fn closing_event(run: &Run, item: &Item, request: &Request) -> Result<Option<Body>, Error> {
    let Some(gate) = &item.gate else {
        return Ok(None);
    };
    let (to, code) = match request.say {
        Said::Approved => (GateStatus::Acknowledged, EventCode::Approved),
        Said::Waived => (GateStatus::Waived, EventCode::Waived),
        Said::Rejected | Said::ChangesRequested => return Ok(None),
    };
    if run.state.gates.get(&gate.id) != Some(&GateStatus::Pending) {
        return Ok(None);
    }
    let event = append::gate_event(run, &gate.id, to, code, request.reason.clone());
    Ok(Some(append::legal(run, &Producer::User, event)?.into()))
}

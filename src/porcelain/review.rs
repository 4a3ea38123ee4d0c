//! What a person sees before approving: changed and deleted tests first, then the rest, the
//! checks and who chose them, and the verdict so far. `review` shows it without approving.

use super::{
    Context, Error,
    check::CheckDone,
    error::refuse,
    judge, observe,
    target::{self, Place, Target},
};
use crate::{
    diagnostic::Code,
    domain::{
        bytes::ByteText,
        evaluate::{Facts, Report, TestFiles},
        id::{GateId, RunId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        policy::PolicyDocument,
        run::Run,
        vocabulary::{AssertionStatus, Change, GateStatus, Phase, RunStatus, Verdict},
    },
};
use serde::Serialize;

/// How much diff is shown, in bytes, over all files.
const DIFF_LIMIT: usize = 200 * 1024;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Judge a commit of this clone instead of the bound worktree.
    pub commit: Option<String>,
    /// Show the diff.
    pub diff: bool,
}

/// The screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Screen {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// Its mode, class and risk, for the head line.
    pub mode: crate::domain::vocabulary::Mode,
    /// How much ceremony.
    pub class: crate::domain::vocabulary::Classification,
    /// How much can go wrong.
    pub risk: crate::domain::vocabulary::Risk,
    /// The spec's title.
    pub title: String,
    /// The tree that is judged.
    pub subject: TreeId,
    /// The commit, when one is judged rather than a worktree.
    pub commit: Option<CommitId>,
    /// Human gates that wait now.
    pub waiting: Vec<GateId>,
    /// Changed and deleted tests: look here first.
    pub tests: Vec<FileRow>,
    /// All other changes.
    pub files: Vec<FileRow>,
    /// Checks on this tree.
    pub checks: Vec<CheckDone>,
    /// Where the pinned commands came from.
    pub commands: Vec<CommandRow>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
    /// Fewer tests than at the start, or another thing to look at first.
    pub first: Vec<String>,
    /// Assertions that do not hold yet, besides those a person decides.
    pub open: Vec<OpenRow>,
    /// The verdict as if every waiting gate were approved and the run finished.
    pub verdict_so_far: Verdict,
    /// The diff, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRow {
    /// Which.
    pub path: RepoPath,
    /// How.
    pub change: Change,
    /// Lines added.
    pub added: Option<u64>,
    /// Lines removed.
    pub deleted: Option<u64>,
}

/// A pinned command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommandRow {
    /// The check's name.
    pub name: String,
    /// The command.
    pub command: String,
    /// Who chose it.
    pub source: String,
}

/// An assertion that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OpenRow {
    /// Which.
    pub id: String,
    /// What it says.
    pub status: AssertionStatus,
    /// Why.
    pub why: String,
}

/// What is judged, gathered once.
pub(super) struct View<'c> {
    pub(super) run: Run,
    pub(super) place: Place<'c>,
    pub(super) policy: PolicyDocument,
    pub(super) subject: TreeId,
    pub(super) commit: Option<CommitId>,
    pub(super) facts: Facts,
}

/// Gathers what is judged: the bound worktree's snapshot, or a commit of this clone.
pub(super) fn view<'c>(ctx: &'c Context<'_>, commit: Option<&str>) -> Result<View<'c>, Error> {
    if let Some(revision) = commit {
        let commit = ctx.repo.resolve_commit(revision)?;
        let data = ctx.repo.read_commit(commit)?;
        let run = match &ctx.run {
            Some(name) => target::named(&ctx.repo, name)?,
            None => target::run_of_commit(&ctx.repo, &data)?,
        };
        let facts = observe::facts(&ctx.repo, &run, data.tree, Some(commit))?;
        let policy = observe::policy_of(&ctx.repo, &run)?;
        return Ok(View {
            run,
            place: Place::Here(&ctx.repo),
            policy,
            subject: data.tree,
            commit: Some(commit),
            facts,
        });
    }
    let Target { run, place } = target::target(ctx)?;
    if !place.is_elsewhere()
        && target::bound(&ctx.repo)?
            .run
            .is_none_or(|bound| bound.contract_digest != run.contract_digest)
    {
        return Err(refuse(
            Code::Precondition,
            format!("{} has no worktree in this clone", run.id),
        )
        .detail("run", run.id.as_str())
        .hint(
            "judge a commit of it",
            &[
                "git",
                "rapid",
                "review",
                "--run",
                run.id.as_str(),
                "--commit",
                "<rev>",
            ],
        )
        .into());
    }
    let sight = judge::Sight::of(&place, &run)?;
    let subject = match &sight.snapshot {
        Ok(snapshot) => snapshot.tree,
        Err(refused) => return Err(observe::refuse_no_snapshot(refused).into()),
    };
    Ok(View {
        run,
        place,
        policy: sight.policy,
        subject,
        commit: None,
        facts: sight.facts,
    })
}

/// Human gates that wait: of the phase that is due, pending, or addressed for another tree.
pub(super) fn waiting_gates(run: &Run, report: &Report) -> Vec<GateId> {
    let phase = match run.state.status {
        RunStatus::Prepared => Phase::Pre,
        RunStatus::Active if run.state.tasks_are_terminal() => Phase::Post,
        _ => return Vec::new(),
    };
    run.contract
        .gates
        .iter()
        .filter(|gate| gate.human && gate.phase == phase)
        .filter(|gate| {
            let holds = report
                .assertion(&format!("gate.{}.evidence", gate.id))
                .is_some_and(|found| {
                    matches!(
                        found.status,
                        AssertionStatus::Pass | AssertionStatus::Waived
                    )
                });
            run.state.gates.get(&gate.id) == Some(&GateStatus::Pending) || !holds
        })
        .map(|gate| gate.id.clone())
        .collect()
}

/// The screen of a view.
pub(super) fn screen(view: &View<'_>, with_diff: bool) -> Result<Screen, Error> {
    let run = &view.run;
    let spec_bytes = observe::spec_bytes(&view.place, run);
    let report = judge::judge(
        run,
        &run.state,
        &view.policy,
        spec_bytes,
        &view.facts,
        view.subject,
    )?;
    let waiting = waiting_gates(run, &report);
    let mut state = run.state.clone();
    state.status = RunStatus::Finished;
    for status in state.gates.values_mut() {
        if *status == GateStatus::Pending {
            *status = GateStatus::Acknowledged;
        }
    }
    let hoped = judge::judge(
        run,
        &state,
        &view.policy,
        spec_bytes,
        &view.facts,
        view.subject,
    )?;
    let human: Vec<String> = run
        .contract
        .gates
        .iter()
        .filter(|gate| gate.human)
        .map(|gate| format!("gate.{}.evidence", gate.id))
        .collect();
    let open: Vec<OpenRow> = hoped
        .assertions
        .iter()
        .filter(|found| found.required && !human.contains(&found.id))
        .filter(|found| {
            matches!(
                found.status,
                AssertionStatus::Fail | AssertionStatus::Unverified
            )
        })
        .map(|found| OpenRow {
            id: found.id.clone(),
            status: found.status,
            why: found.why.clone(),
        })
        .collect();
    let verdict_so_far = verdict_of(&hoped, &human);
    let test_files = TestFiles::of(&view.policy, &run.contract.checks);
    let rows = view.facts.paths.iter().flatten().map(|fact| FileRow {
        path: fact.path.clone(),
        change: fact.change,
        added: fact.added,
        deleted: fact.deleted,
    });
    let (tests, files): (Vec<FileRow>, Vec<FileRow>) =
        rows.partition(|row| test_files.admits(&row.path));
    let checks: Vec<CheckDone> = run
        .evidence
        .iter()
        .filter(|record| {
            record
                .body
                .check()
                .is_some_and(|result| result.subject.tree == view.subject)
        })
        .filter_map(|record| CheckDone::of(run, record, false))
        .collect();
    let bystanders = run
        .evidence
        .iter()
        .rev()
        .find_map(|record| record.body.check())
        .map(|result| result.subject.bystanders.clone())
        .unwrap_or_default();
    Ok(Screen {
        schema_version: 1,
        run_id: run.id.clone(),
        mode: run.contract.mode,
        class: run.contract.class,
        risk: run.contract.risk,
        title: observe::title(&view.place, run),
        subject: view.subject,
        commit: view.commit,
        waiting,
        first: look_first(&tests, &hoped),
        tests,
        files,
        checks,
        commands: commands(run),
        bystanders,
        open,
        verdict_so_far,
        diff: if with_diff {
            Some(diff_text(view)?)
        } else {
            None
        },
    })
}

/// The pinned commands, and who chose each: whoever reads a verdict has to see what was run.
pub(super) fn commands(run: &Run) -> Vec<CommandRow> {
    run.contract
        .checks
        .iter()
        .map(|check| CommandRow {
            name: check.name.clone(),
            command: shell_words::join(check.argv.iter().map(ByteText::lossy)),
            source: check.source.clone(),
        })
        .collect()
}

/// The verdict with the gates a person decides left out of it.
fn verdict_of(report: &Report, human: &[String]) -> Verdict {
    let mut verdict = Verdict::Pass;
    for found in report
        .assertions
        .iter()
        .filter(|found| found.required && !human.contains(&found.id))
    {
        verdict = match (found.status, verdict) {
            (AssertionStatus::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
            (AssertionStatus::Unverified, _) | (_, Verdict::Unverified) => Verdict::Unverified,
            (AssertionStatus::Waived, _) | (_, Verdict::PassWithWaivers) => {
                Verdict::PassWithWaivers
            }
            _ => Verdict::Pass,
        };
    }
    verdict
}

fn look_first(tests: &[FileRow], report: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    let deleted = tests
        .iter()
        .filter(|row| row.change == Change::Deleted)
        .count();
    if deleted > 0 {
        lines.push(format!("{deleted} test files deleted"));
    }
    if let Some(fewer) = report.assertion("tests.not-fewer")
        && fewer.status == AssertionStatus::Fail
    {
        lines.push("fewer tests pass than at the start".to_owned());
    }
    lines
}

fn diff_text(view: &View<'_>) -> Result<String, Error> {
    let mut text = String::new();
    for fact in view.facts.paths.iter().flatten() {
        let room = DIFF_LIMIT.saturating_sub(text.len());
        if room == 0 {
            text.push_str("(the rest is not shown)\n");
            break;
        }
        text.push_str(
            &view
                .place
                .diff_text(view.facts.base.tree, view.subject, &fact.path, room)?
                .text,
        );
    }
    Ok(text)
}

/// Shows the screen.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Screen, Error> {
    screen(&view(ctx, request.commit.as_deref())?, request.diff)
}

//! Asking the evaluator and the conductor about a run as it lies in its worktree.

use super::{Context, Error, observe, target::Place};
use crate::{
    conductor::{self, NextAction, NoSnapshot, Playbook, Scene},
    domain::{
        commit_rule::{CommitSubject, Verification, verify_tree},
        digest::Digest,
        evaluate::{Facts, Input, Report, counts::Results, evaluate},
        evidence::LogRef,
        oid::TreeId,
        path::RepoPath,
        policy::PolicyDocument,
        run::{Run, RunState},
    },
    git::{Head, Repository, Snapshot},
    ledger::Ledger,
};

/// All that is needed to judge a run in its worktree, gathered once.
#[derive(Clone)]
pub(super) struct Sight {
    /// The policy it was started with.
    pub(super) policy: PolicyDocument,
    /// SHA-256 of the stored spec bytes.
    pub(super) spec_bytes: Option<Digest>,
    /// The spec's title.
    title: String,
    /// HEAD.
    pub(super) head: Head,
    /// HEAD's tree.
    pub(super) head_tree: Option<TreeId>,
    /// The working tree, or why there is none.
    pub(super) snapshot: Result<Snapshot, NoSnapshot>,
    /// Facts for the snapshot; for HEAD's tree when there is no snapshot.
    pub(super) facts: Facts,
}

impl Sight {
    /// Looks at a run's worktree.
    pub(super) fn of(repo: &Repository, run: &Run) -> Result<Self, Error> {
        let head = repo.head()?;
        let head_tree = head.commit.map(|commit| repo.tree_of(commit)).transpose()?;
        let snapshot = observe::snapshot(repo, run, &[])?;
        let judged = match &snapshot {
            Ok(snapshot) => snapshot.tree,
            Err(_) => head_tree.unwrap_or_else(|| repo.empty_tree()),
        };
        let spec = observe::spec(repo, run);
        Ok(Self {
            policy: observe::policy_of(repo, run)?,
            spec_bytes: spec.as_deref().map(Digest::of),
            title: observe::title_in(spec.as_deref(), run),
            facts: observe::facts(repo, run, judged, head.commit)?,
            head,
            head_tree,
            snapshot,
        })
    }

    /// The same sight with the facts of another tree.
    pub(super) fn with_facts(&self, facts: Facts) -> Self {
        Self {
            facts,
            ..self.clone()
        }
    }

    /// The tree of the working tree; HEAD's when there is no snapshot.
    pub(super) fn subject(&self, repo: &Repository) -> TreeId {
        match &self.snapshot {
            Ok(snapshot) => snapshot.tree,
            Err(_) => self.head_tree.unwrap_or_else(|| repo.empty_tree()),
        }
    }
}

/// Judges a run on a tree, in a state that may be hypothetical.
pub(super) fn judge(
    run: &Run,
    state: &RunState,
    policy: &PolicyDocument,
    spec_bytes: Option<Digest>,
    facts: &Facts,
    subject: TreeId,
) -> Result<Report, Error> {
    let input = Input {
        run,
        state,
        facts,
        subject,
        spec_bytes,
        policy,
        ruleset: run.contract.ruleset_version,
    };
    Ok(evaluate(&input)?)
}

/// Whether a result is good by the run's rules: failures that the waived baseline knew are
/// not held against it.
pub(super) fn is_good(run: &Run, policy: &PolicyDocument, record: Digest) -> bool {
    let results = Results::of(run, &run.state, policy, &[]);
    run.evidence(&record)
        .and_then(|record| results.is_good(record))
        == Some(true)
}

/// What the evidence says of a tree that is, or is to be, committed.
pub(super) fn verification<'r>(
    repo: &Repository,
    run: &'r Run,
    policy: &PolicyDocument,
    facts: &Facts,
    tree: TreeId,
) -> Verification<'r> {
    let changed: Option<Vec<&RepoPath>> = facts
        .paths
        .as_ref()
        .map(|paths| paths.iter().map(|fact| &fact.path).collect());
    let subject = CommitSubject {
        tree,
        changed: changed.as_deref(),
        policy,
        signatures: &facts.signatures,
    };
    verify_tree(run, &subject, |other| {
        // A tree that is not here any more cannot be compared: nothing is named.
        let differs = repo.diff_trees(other, tree).unwrap_or_default();
        differs.into_iter().map(|change| change.path).collect()
    })
}

/// The next action of a run in its worktree.
pub(super) fn next_of(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
) -> Result<NextAction, Error> {
    let sight = Sight::of(place, run)?;
    next_with(ctx, place, run, &sight)
}

/// The next action, from a sight that was taken already.
pub(super) fn next_with(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: &Run,
    sight: &Sight,
) -> Result<NextAction, Error> {
    let cwd = place
        .work_dir()
        .unwrap_or_else(|_| place.git_dir())
        .display()
        .to_string();
    let report_path = place
        .git_dir()
        .join("rapid")
        .join("report.md")
        .display()
        .to_string();
    let tail = last_log(run).and_then(|log| tail_of(place, run, &log));
    let scene = Scene {
        run,
        title: &sight.title,
        snapshot: match &sight.snapshot {
            Ok(snapshot) => Ok(snapshot.tree),
            Err(refused) => Err(refused),
        },
        head_tree: sight.head_tree,
        facts: &sight.facts,
        spec_bytes: sight.spec_bytes,
        policy: &sight.policy,
        playbook: Playbook::of(run.contract.mode),
        lang: ctx.lang,
        cwd: &cwd,
        workspace_path: place.is_elsewhere().then_some(cwd.as_str()),
        report_path: &report_path,
        last_log_tail: tail.as_deref(),
    };
    Ok(conductor::next_action(&scene))
}

/// The log of the latest check.
fn last_log(run: &Run) -> Option<LogRef> {
    run.evidence
        .iter()
        .rev()
        .find_map(|record| record.body.check())?
        .log
        .clone()
}

/// The last lines of a log, short enough for a document.
fn tail_of(repo: &Repository, run: &Run, log: &LogRef) -> Option<String> {
    let bytes = Ledger::new(repo).read_log(&run.id, log.sha256).ok()??;
    Some(last_lines(&bytes, 20, 1500))
}

/// At most `lines` last lines and `limit` bytes of output, as text without control sequences.
pub(super) fn last_lines(bytes: &[u8], lines: usize, limit: usize) -> String {
    let plain = anstream::adapter::strip_bytes(bytes).into_vec();
    let text = String::from_utf8_lossy(&plain).replace("\r\n", "\n");
    let text = text.trim_end();
    let start = text
        .rmatch_indices('\n')
        .nth(lines.saturating_sub(1))
        .map_or(0, |(at, _)| at + 1);
    let mut start = start.max(text.len().saturating_sub(limit));
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text[start..].to_owned()
}

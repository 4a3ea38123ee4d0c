//! `commit`: commits what is verified, and says so in the message and in the ledger.
//!
//! `-a` takes what this run changed, built in a private index; the user's own index is
//! written only after the rule allowed the commit. `git commit` itself is git's.

mod arguments;
mod git_commit;
pub(super) mod rule;
pub(super) mod trailers;

use super::{
    Context, Error,
    check::{self, CheckDone},
    error::refuse,
    judge,
    measure::Plan,
    milestone, observe,
    target::{self, Place, Target},
};
use crate::{
    diagnostic::Code,
    domain::{
        id::{RunId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        policy::PolicyDocument,
        run::Run,
        vocabulary::{RunStatus, TaskStatus, Tier},
    },
    git::Repository,
};
use serde::Serialize;
use std::ffi::OsString;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Take all that this run changed.
    pub all: bool,
    /// Save work untested: the commit says so, and the scope is guarded all the same.
    pub wip: bool,
    /// Messages, each a paragraph; none: an editor at a terminal, else the spec's title.
    pub messages: Vec<String>,
    /// Further words for `git commit`.
    pub arguments: Vec<OsString>,
    /// Whether an editor can be shown.
    pub editor: bool,
    /// Whether git is to keep standard output for the one document.
    pub json: bool,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The version of this schema.
    pub schema_version: u32,
    /// The run.
    pub run_id: RunId,
    /// The commit; null when `git commit` made none.
    pub commit: Option<CommitId>,
    /// Its tree.
    pub tree: TreeId,
    /// `<record>`, `reproduction` or `no`, as the trailer says.
    pub verified: String,
    /// What was run first.
    pub checks: Vec<CheckDone>,
    /// How `git commit` ended.
    pub git_exit: i32,
}

/// Commits.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    arguments::refuse_choosing(&request.arguments)?;
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    refuse_status(&run)?;
    let policy = observe::policy_of(&place, &run)?;
    let snapshot = observe::snapshot(&place, &run, &[])?
        .map_err(|refused| observe::refuse_no_snapshot(&refused))?;
    let head_tree = head_tree(&place)?;
    let from = head_tree.unwrap_or_else(|| place.empty_tree());
    let tree = if request.all {
        rule::refuse_out_of_scope(&place, &run, from, snapshot.tree)?;
        snapshot.tree
    } else if request.wip {
        place.index_tree()?
    } else {
        index_as_tested(&place, snapshot.tree)?
    };
    let staged: Vec<RepoPath> = place
        .diff_trees(from, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let staged = rule::in_merge(&place, &staged, tree)?;
    if staged.is_empty()
        && Some(tree) == head_tree
        && !amends(request)
        && place.merge_heads()?.is_empty()
    {
        return Err(
            refuse(Code::Precondition, "nothing to commit: the tree is HEAD's")
                .hint("see what comes next", &["git", "rapid", "next"])
                .into(),
        );
    }
    refuse_outside(&run, &staged)?;
    let (run, checks) = if request.wip {
        (run, Vec::new())
    } else {
        verify_first(ctx, &place, run, &policy, tree, head_tree)?
    };
    let facts = observe::facts(&place, &run, tree, place.head()?.commit)?;
    let verification = judge::verification(&place, &run, &policy, &facts, tree);
    let verified = rule::allowed(
        &place,
        &run,
        &policy,
        tree,
        head_tree,
        &staged,
        &snapshot,
        verification,
        request.wip,
    )?;
    let run = milestone::recover(&place, run)?;
    if request.all {
        git_commit::stage(&place, tree)?;
    }
    let word = trailers::verified_word(&verified);
    let before = place.head()?.commit;
    let git_exit = git_commit::git_commit(&place, &run, request, &word)?;
    let made = match place.head()?.commit {
        Some(commit) if Some(commit) != before => {
            let data = place.read_commit(commit)?;
            // Git can fail after it made the commit; a hook can move HEAD and then refuse.
            (git_exit == 0 || milestone::belongs(&run, &data)).then_some((commit, data))
        }
        _ => None,
    };
    let Some((commit, data)) = made else {
        if git_exit != 0 {
            return Err(not_made(ctx, git_exit));
        }
        return Ok(Outcome {
            schema_version: 1,
            run_id: run.id,
            commit: None,
            tree,
            verified: word,
            checks,
            git_exit,
        });
    };
    let verified_by = milestone::note(&place, &run.id, commit, &data)?;
    let word = if data.tree == tree {
        word
    } else {
        ctx.watch.note(&format!(
            "tree {} was tested and {} is committed: a hook or an option changed it (git rapid check)",
            tree.short(),
            data.tree.short()
        ));
        verified_by.map_or_else(|| "no".to_owned(), |record| record.short(16))
    };
    Ok(Outcome {
        schema_version: 1,
        run_id: run.id,
        commit: Some(commit),
        tree: data.tree,
        verified: word,
        checks,
        git_exit,
    })
}

/// The refusal when git made no commit. It has said why itself, on the user's own terminal.
fn not_made(ctx: &Context<'_>, git_exit: i32) -> Error {
    if ctx.interrupt.0.load(std::sync::atomic::Ordering::SeqCst) {
        return Error::Interrupted;
    }
    // With 1 git says no: a hook refused, the message is empty. Anything else is a failure.
    let code = if git_exit == 1 {
        Code::CommitRefused
    } else {
        Code::GitFailed
    };
    refuse(
        code,
        format!("git commit ended with exit {git_exit} and made no commit"),
    )
    .detail("git_exit", git_exit)
    .hint(
        "mend what git or a hook complains about and commit again",
        &["git", "rapid", "commit", "-a"],
    )
    .into()
}

fn amends(request: &Request) -> bool {
    request
        .arguments
        .iter()
        .any(|word| word == "--amend" || word == "--allow-empty")
}

fn refuse_status(run: &Run) -> Result<(), Error> {
    match run.state.status {
        RunStatus::Active => Ok(()),
        status => Err(refuse(
            Code::RunNotActive,
            format!("{} is {status}: nothing is committed under it", run.id),
        )
        .detail("run", run.id.as_str())
        .detail("status", status.as_str())
        .hint("see what comes next", &["git", "rapid", "next"])
        .into()),
    }
}

fn head_tree(repo: &Repository) -> Result<Option<TreeId>, Error> {
    Ok(repo
        .head()?
        .commit
        .map(|commit| repo.tree_of(commit))
        .transpose()?)
}

/// The index's tree, refused when it is not what would be tested.
fn index_as_tested(repo: &Repository, snapshot: TreeId) -> Result<TreeId, Error> {
    let tree = repo.index_tree()?;
    if tree == snapshot {
        return Ok(tree);
    }
    let differs: Vec<RepoPath> = repo
        .diff_trees(tree, snapshot)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    Err(refuse(
        Code::IndexDiffers,
        format!(
            "staged and on disk differ, so what is tested is not what is committed: {}",
            observe::list_paths(&differs)
        ),
    )
    .detail("paths", observe::paths_value(&differs))
    .detail("index", tree.to_string())
    .detail("worktree", snapshot.to_string())
    .hint(
        "take all that this run changed",
        &["git", "rapid", "commit", "-a"],
    )
    .into())
}

/// What the rule refuses whatever the tests say is refused before they run.
fn refuse_outside(run: &Run, staged: &[RepoPath]) -> Result<(), Error> {
    let outside: Vec<RepoPath> = staged
        .iter()
        .filter(|path| !observe::admits(run.scope_patterns(), path))
        .cloned()
        .collect();
    if outside.is_empty() {
        Ok(())
    } else {
        Err(rule::out_of_scope(run, &outside).into())
    }
}

/// Runs the due checks of tier commit when nothing verifies the tree yet.
fn verify_first(
    ctx: &Context<'_>,
    place: &Place<'_>,
    mut run: Run,
    policy: &PolicyDocument,
    tree: TreeId,
    head_tree: Option<TreeId>,
) -> Result<(Run, Vec<CheckDone>), Error> {
    let facts = observe::facts(place, &run, tree, place.head()?.commit)?;
    if Some(tree) == head_tree || judge::verification(place, &run, policy, &facts, tree).is_enough()
    {
        return Ok((run, Vec::new()));
    }
    let due = check::due(&run, &facts, Tier::Commit);
    let mut checks = Vec::new();
    for named in &due {
        let mut plan = Plan::named(named);
        plan.tasks = in_progress(&run);
        let (after, done) = check::one(ctx, place, run, policy, &plan, false, "before the commit")?;
        run = after;
        let good = judge::is_good(&run, policy, done.record);
        checks.push(done);
        if !good {
            let red = checks.last().expect("it was just pushed");
            let what = red.counts.as_ref().map_or_else(
                || {
                    red.exit_code
                        .map_or("ended by a signal".to_owned(), |code| {
                            format!("exit {code}")
                        })
                },
                check::count_words,
            );
            return Err(refuse(
                Code::CheckDidNotCount,
                format!("not committed: {}: {what}", red.command),
            )
            .detail(
                "checks",
                serde_json::to_value(&checks).expect("results serialize"),
            )
            .hint(
                "mend it and commit again",
                &["git", "rapid", "commit", "-a"],
            )
            .into());
        }
    }
    Ok((run, checks))
}

fn in_progress(run: &Run) -> Vec<TaskId> {
    let open: Vec<TaskId> = run
        .state
        .tasks
        .iter()
        .filter(|(_, status)| **status == TaskStatus::InProgress)
        .map(|(task, _)| task.clone())
        .collect();
    if open.len() == 1 { open } else { Vec::new() }
}

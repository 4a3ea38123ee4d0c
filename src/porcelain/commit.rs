//! `commit`: commits what is verified, and says so in the message and in the ledger.
//!
//! `-a` takes what this run changed, built in a private index; the user's own index is
//! written only after the rule allowed the commit. `git commit` itself is git's.

use super::{
    Context, Error, append,
    check::{self, CheckDone},
    error::refuse,
    judge,
    measure::Plan,
    milestone::{self, RUN_TRAILER, TASK_TRAILER, VERIFIED_TRAILER},
    observe,
    target::{self, Place, Target},
};
use crate::{
    diagnostic::{Code, Refusal},
    domain::{
        bytes::ByteText,
        commit_rule::{self, CommitFacts, CommitVerdict, Verification, VerifiedBy, judge_commit},
        evidence::Payload,
        id::{RunId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        policy::{CommitBinding, Enforce, Guard, PolicyDocument},
        producer::Producer,
        record::Body,
        run::Run,
        scope::Matcher,
        vocabulary::{RunStatus, TaskStatus, Tier},
    },
    git::{GitProcess, Repository, Snapshot},
};
use serde::Serialize;
use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Take all that this run changed.
    pub all: bool,
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
    let Target { run, place } = target::target(ctx)?;
    ctx.repo.committer()?;
    let run = milestone::recover(&place, run)?;
    refuse_status(&run)?;
    let policy = observe::policy_of(&place, &run)?;
    let snapshot = observe::snapshot(&place, &run, &[])?
        .map_err(|refused| observe::refuse_no_snapshot(&refused))?;
    let head_tree = head_tree(&place)?;
    let from = head_tree.unwrap_or_else(|| place.empty_tree());
    let tree = if request.all {
        refuse_out_of_scope(&place, &run, from, snapshot.tree)?;
        snapshot.tree
    } else {
        index_as_tested(&place, snapshot.tree)?
    };
    let staged: Vec<RepoPath> = place
        .diff_trees(from, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let staged = in_merge(&place, &staged, tree)?;
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
    let (run, checks) = verify_first(ctx, &place, run, &policy, tree, head_tree, &staged)?;
    let facts = observe::facts(&place, &run, tree, place.head()?.commit)?;
    let verification = judge::verification(&place, &run, &policy, &facts, tree);
    let verified = allowed(
        &place,
        &run,
        &policy,
        tree,
        head_tree,
        &staged,
        &snapshot,
        verification,
    )?;
    if request.all {
        stage(&place, tree)?;
    }
    let word = match &verified {
        VerifiedBy::Record(record) => record.short(16),
        VerifiedBy::Reproduction(_) => "reproduction".to_owned(),
        VerifiedBy::No => "no".to_owned(),
    };
    let before = place.head()?.commit;
    let git_exit = git_commit(&place, &run, request, &word)?;
    let after = place.head()?.commit;
    let made = after.filter(|commit| Some(*commit) != before && git_exit == 0);
    if let Some(commit) = made {
        note_milestone(&place, &run, commit)?;
    }
    Ok(Outcome {
        schema_version: 1,
        run_id: run.id.clone(),
        commit: made,
        tree,
        verified: word,
        checks,
        git_exit,
    })
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

/// `-a` names what it may not take instead of leaving it out in silence.
fn refuse_out_of_scope(
    repo: &Repository,
    run: &Run,
    from: TreeId,
    tree: TreeId,
) -> Result<(), Error> {
    let changed: Vec<RepoPath> = repo
        .diff_trees(from, tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let protected = Matcher::new(&run.contract.scope.protected);
    let merge = in_merge(repo, &changed, tree)?;
    let outside: Vec<RepoPath> = merge
        .iter()
        .filter(|path| !observe::admits(run.scope_patterns(), path))
        .cloned()
        .collect();
    if !outside.is_empty() {
        return Err(out_of_scope(run, &outside).into());
    }
    let guarded: Vec<RepoPath> = merge
        .iter()
        .filter(|path| !run.contract.scope.protected.is_empty() && protected.admits(path))
        .cloned()
        .collect();
    if guarded.is_empty() {
        Ok(())
    } else {
        Err(protected_path(&guarded).into())
    }
}

fn out_of_scope(run: &Run, paths: &[RepoPath]) -> Refusal {
    let patterns: Vec<&str> = run
        .scope_patterns()
        .into_iter()
        .flatten()
        .map(|pattern| pattern.as_str())
        .collect();
    let first = paths[0].quoted();
    refuse(
        Code::OutOfScope,
        format!("not planned: {}", observe::list_paths(paths)),
    )
    .detail("paths", observe::paths_value(paths))
    .detail("scope", patterns)
    .hint(
        "take it back",
        &["git", "restore", "--staged", "--worktree", &first],
    )
    .hint(
        "or start again with it in the plan",
        &["git", "rapid", "supersede", "--spec-file", "<file>"],
    )
}

fn protected_path(paths: &[RepoPath]) -> Refusal {
    refuse(
        Code::ProtectedPath,
        format!("protected: {}", observe::list_paths(paths)),
    )
    .detail("paths", observe::paths_value(paths))
    .hint(
        "take it back",
        &[
            "git",
            "restore",
            "--staged",
            "--worktree",
            &paths[0].quoted(),
        ],
    )
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

/// In a merge only paths that differ from every parent are this commit's own.
fn in_merge(repo: &Repository, staged: &[RepoPath], tree: TreeId) -> Result<Vec<RepoPath>, Error> {
    // An ordinary commit has no other parent.
    let mut own = staged.to_vec();
    for parent in repo.merge_heads()? {
        let differs: Vec<RepoPath> = repo
            .diff_trees(repo.tree_of(parent)?, tree)?
            .into_iter()
            .map(|change| change.path)
            .collect();
        own.retain(|path| differs.contains(path));
    }
    Ok(own)
}

/// Runs the due checks of tier commit when nothing verifies the tree yet.
fn verify_first(
    ctx: &Context<'_>,
    place: &Place<'_>,
    mut run: Run,
    policy: &PolicyDocument,
    tree: TreeId,
    head_tree: Option<TreeId>,
    staged: &[RepoPath],
) -> Result<(Run, Vec<CheckDone>), Error> {
    // What the rule refuses whatever the tests say is refused before they run.
    let outside: Vec<RepoPath> = staged
        .iter()
        .filter(|path| !observe::admits(run.scope_patterns(), path))
        .cloned()
        .collect();
    if !outside.is_empty() {
        return Err(out_of_scope(&run, &outside).into());
    }
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
        let holds = done.holds();
        checks.push(done);
        if !holds {
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

/// Asks the commit rule.
#[expect(
    clippy::too_many_arguments,
    reason = "the rule's facts, gathered by one caller"
)]
fn allowed(
    place: &Place<'_>,
    run: &Run,
    policy: &PolicyDocument,
    tree: TreeId,
    head_tree: Option<TreeId>,
    staged: &[RepoPath],
    snapshot: &Snapshot,
    verification: Verification<'_>,
) -> Result<VerifiedBy, Error> {
    let verified = verification.trailer();
    let untracked: Vec<RepoPath> = snapshot
        .bystanders
        .iter()
        .map(|(path, _)| path.clone())
        .collect();
    let binding = match policy.commit_snapshot_from {
        Some(from) if run.contract.risk >= from => CommitBinding::Snapshot,
        _ => policy.commit,
    };
    let facts = CommitFacts {
        run: Some(run),
        require_run: &policy.require_run,
        staged,
        tree,
        head_tree,
        verification,
        incomparable: &[],
        binding,
        untracked: &untracked,
        snapshot: Some(snapshot.tree),
        guard: Guard::Commit,
        enforce: Enforce::Strict,
        wip: false,
    };
    match judge_commit(&facts) {
        CommitVerdict::Allow { verified: said } => Ok(said.unwrap_or(verified)),
        CommitVerdict::Warn(refusal) | CommitVerdict::Refuse(refusal) => {
            Err(explain(place, run, tree, &refusal)?.into())
        }
    }
}

/// The rule's refusal with what a person needs to mend it.
fn explain(
    place: &Place<'_>,
    run: &Run,
    tree: TreeId,
    refusal: &commit_rule::Refusal,
) -> Result<Refusal, Error> {
    Ok(match refusal.code {
        Code::OutOfScope => out_of_scope(run, &refusal.paths),
        Code::ProtectedPath => protected_path(&refusal.paths),
        Code::OtherTreeVerified => {
            let tested = refusal.verified_tree;
            let differs = match tested {
                Some(tested) if place.has_object(tested.0) => place
                    .diff_trees(tested, tree)?
                    .into_iter()
                    .map(|change| change.path)
                    .collect(),
                _ => refusal.paths.clone(),
            };
            refuse(
                Code::OtherTreeVerified,
                format!(
                    "this content is not what was tested: {}",
                    observe::list_paths(&differs)
                ),
            )
            .detail("tested", tested.map(|tree| tree.to_string()))
            .detail("to_commit", tree.to_string())
            .detail("paths", observe::paths_value(&differs))
            .hint("test what is to be committed", &["git", "rapid", "check"])
        }
        Code::NeverVerified => refuse(Code::NeverVerified, "this content was never tested")
            .detail("to_commit", tree.to_string())
            .hint("test it", &["git", "rapid", "check"]),
        code => refuse(code, code.meaning()).detail("paths", observe::paths_value(&refusal.paths)),
    })
}

/// Puts into the user's index what differs from the tree that was verified: the private
/// index of `-a`, made real.
fn stage(place: &Place<'_>, tree: TreeId) -> Result<(), Error> {
    let index = place.index_tree()?;
    let mut list = Vec::new();
    for change in place.diff_trees(index, tree)? {
        list.extend_from_slice(change.path.as_bytes());
        list.push(0);
    }
    if !list.is_empty() {
        let mut git = GitProcess::new(
            place,
            [
                "update-index",
                "--add",
                "--remove",
                "--replace",
                "-z",
                "--stdin",
            ],
        );
        git.stdin = list;
        git.keep_git_env = !place.is_elsewhere();
        git.output()?;
    }
    let staged = place.index_tree()?;
    if staged == tree {
        return Ok(());
    }
    let differs: Vec<RepoPath> = place
        .diff_trees(tree, staged)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    Err(refuse(
        Code::OtherTreeVerified,
        format!(
            "changed while it was staged: {}",
            observe::list_paths(&differs)
        ),
    )
    .detail("paths", observe::paths_value(&differs))
    .hint("commit again", &["git", "rapid", "commit", "-a"])
    .into())
}

/// Runs `git commit` with all its hooks on the user's own terminal.
fn git_commit(
    place: &Place<'_>,
    run: &Run,
    request: &Request,
    verified: &str,
) -> Result<i32, Error> {
    let mut words: Vec<OsString> = Vec::new();
    let mut trailers = vec![
        (
            RUN_TRAILER,
            format!("{} {}", run.id, run.contract_digest.short(12)),
        ),
        (VERIFIED_TRAILER, verified.to_owned()),
    ];
    let tasks = tasks_since_milestone(run);
    if !tasks.is_empty() {
        trailers.insert(1, (TASK_TRAILER, tasks.join(" ")));
    }
    // Ours are replaced, never doubled: an amend carries the old ones.
    for name in [RUN_TRAILER, TASK_TRAILER, VERIFIED_TRAILER] {
        let key = name.to_lowercase();
        words.extend(["-c".into(), format!("trailer.{key}.key={name}").into()]);
        words.extend([
            "-c".into(),
            format!("trailer.{key}.ifExists=replace").into(),
        ]);
    }
    words.push("commit".into());
    if request.json {
        words.push("--quiet".into());
    }
    for message in &request.messages {
        words.extend(["-m".into(), message.into()]);
    }
    let says_message = request.arguments.iter().any(|word| {
        let word = word.as_bytes();
        [b"--amend".as_slice(), b"-F", b"-C", b"-c", b"--no-edit"].contains(&word)
            || [
                b"--file".as_slice(),
                b"--reuse-message",
                b"--reedit-message",
                b"--message",
                b"--fixup",
                b"--squash",
            ]
            .iter()
            .any(|option| word.starts_with(option))
    });
    if request.messages.is_empty() && !says_message && !request.editor {
        words.extend(["-m".into(), observe::title(place, run).into()]);
    }
    for (name, value) in trailers {
        words.extend(["--trailer".into(), format!("{name}: {value}").into()]);
    }
    words.extend(request.arguments.iter().cloned());
    let mut git = GitProcess::new(place, &words);
    git.keep_git_env = !place.is_elsewhere();
    Ok(git.attached()?)
}

/// Tasks that were moved since the last milestone, in order.
fn tasks_since_milestone(run: &Run) -> Vec<String> {
    let mut tasks: Vec<String> = Vec::new();
    for record in run.records.iter().rev() {
        match &record.body {
            Body::Evidence(evidence) if matches!(evidence.payload, Payload::Milestone(_)) => break,
            Body::Event(event) => {
                if let crate::domain::event::EventSubject::Task(task) = &event.subject
                    && !tasks.contains(&task.to_string())
                {
                    tasks.push(task.to_string());
                }
            }
            _ => {}
        }
    }
    tasks.sort();
    tasks
}

fn note_milestone(place: &Place<'_>, run: &Run, commit: CommitId) -> Result<(), Error> {
    let data = place.read_commit(commit)?;
    append::to_run(place, &run.id, |run| {
        let evidence = milestone::milestone_of(place, run, commit, &data)?;
        Ok(Some(append::draft(
            format!("milestone {}", commit.short()),
            vec![(Producer::rapid("commit"), evidence.into())],
        )))
    })?;
    Ok(())
}

/// A path for `git` as an argument.
pub(super) fn path_argument(path: &RepoPath) -> OsString {
    OsString::from_vec(path.as_bytes().to_vec())
}

/// Words for people.
pub fn verified_words(verified: &str) -> ByteText {
    match verified {
        "no" => "not verified".into(),
        "reproduction" => "verified by the reproduction".into(),
        record => format!("verified by {record}").into(),
    }
}

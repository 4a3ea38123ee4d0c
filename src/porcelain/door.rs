//! The commit rule where git asks: the facts of a commit that git is about to make.
//!
//! Takes no snapshot and does not look through the working tree: the tree of the index
//! that git names, and what the evidence says of it. `commit` has its own door, where it
//! has the snapshot at hand.

use super::{
    Context, Error,
    commit::rule,
    error::refuse,
    judge, observe,
    target::{self, Place},
};
use crate::{
    diagnostic::{Code, Refusal},
    domain::{
        commit_rule::{CommitFacts, CommitVerdict, Verification, VerifiedBy, judge_commit},
        oid::{CommitId, Oid, TreeId},
        path::RepoPath,
        policy::{CommitBinding, Enforce, Guard, PolicyDocument},
        run::Run,
    },
    git::Repository,
};
use std::{collections::BTreeSet, str::FromStr};

/// Set for the git that `commit --wip` starts: work is saved untested.
pub(super) const WIP: &str = "GIT_RAPID_WIP";

/// `git merge` names what it merges in variables of this beginning, before `MERGE_HEAD` is
/// there.
const MERGED: &str = "GITHEAD_";

/// How many paths a command names.
const NAMED: usize = 5;

/// What the rule says.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The run whose rules hold here; `None` when none is bound, or it is paused.
    pub run: Option<Run>,
    /// What the `Rapid-Verified` trailer says.
    pub verified: VerifiedBy,
    /// Why not; `None`: go on.
    pub objection: Option<Objection>,
}

/// Why a commit is refused, or should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Objection {
    /// Code, fact, facts by name, and what mends it.
    pub refusal: Refusal,
    /// Whether it is only said.
    pub only_said: bool,
    /// The tree about to be committed.
    pub to_commit: TreeId,
    /// What was tested instead.
    pub tested: Option<Tested>,
    /// Paths that differ from what was tested, with their added and deleted lines; `None`
    /// where lines cannot be counted.
    pub differs: Vec<(RepoPath, Option<(u64, u64)>)>,
}

/// A tree that was tested, and how that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// The tree.
    pub tree: TreeId,
    /// In words, e.g. `4 passed`; empty when nothing was counted.
    pub counts: String,
}

/// Judges the commit that git is about to make in this worktree.
pub fn judge_next_commit(ctx: &Context<'_>) -> Result<Ruling, Error> {
    let repo = &ctx.repo;
    let place = Place::Here(repo);
    let run = target::bound(repo)?.run;
    let policy = match &run {
        Some(run) => observe::policy_of(repo, run)?,
        None => PolicyDocument::built_in(),
    };
    let tree = repo.index_tree()?;
    let head = repo.head()?.commit;
    let head_tree = head.map(|commit| repo.tree_of(commit)).transpose()?;
    let from = head_tree.unwrap_or_else(|| repo.empty_tree());
    let changed = paths(repo, from, tree)?;
    let staged = own_of_merge(ctx, changed, tree)?;
    let facts = match &run {
        Some(run) => Some(observe::facts(repo, run, tree, head)?),
        None => None,
    };
    let verification = match (&run, &facts) {
        (Some(run), Some(facts)) => judge::verification(repo, run, &policy, facts, tree),
        _ => Verification::Never { due: Vec::new() },
    };
    let (enforce, guard) = strictness(ctx, &policy);
    let binding = run.as_ref().map_or(policy.commit, |run| {
        rule::binding(&policy, run.contract.risk)
    });
    let untracked = only_on_disk(repo, &verification, tree)?;
    let looked = look_at_disk(repo, run.as_ref(), binding)?;
    let verdict = judge_commit(&CommitFacts {
        run: run.as_ref(),
        require_run: &policy.require_run,
        staged: &staged,
        tree,
        head_tree,
        verification: verification.clone(),
        incomparable: &looked.incomparable,
        untracked: &untracked,
        binding,
        snapshot: looked.tree,
        guard,
        enforce: if guard == Guard::Off {
            Enforce::Off
        } else {
            enforce
        },
        wip: is_wip(ctx),
    });
    let trailer = verification.trailer();
    let (verified, objection) = match verdict {
        CommitVerdict::Allow { verified } => (verified, None),
        CommitVerdict::Warn(refusal) => (None, Some((refusal, true))),
        CommitVerdict::Refuse(refusal) => (None, Some((refusal, false))),
    };
    let objection = objection
        .map(|(refusal, only_said)| {
            let refusal = explain(&place, run.as_ref(), tree, &refusal)?;
            objection_of(repo, run.as_ref(), &verification, tree, refusal, only_said)
        })
        .transpose()?;
    let guarding = run.filter(|run| run.state.status.is_guarding());
    Ok(Ruling {
        verified: verified.unwrap_or(trailer),
        run: guarding,
        objection,
    })
}

/// Whether the user saves work untested.
fn is_wip(ctx: &Context<'_>) -> bool {
    variable(ctx, WIP).is_some_and(|value| value == "1")
}

fn variable<'c>(ctx: &'c Context<'_>, name: &str) -> Option<&'c std::ffi::OsStr> {
    let found = ctx.environment.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.as_os_str())
}

/// What git config asks for, and at least what the policy does.
fn strictness(ctx: &Context<'_>, policy: &PolicyDocument) -> (Enforce, Guard) {
    let enforce = word(ctx, "rapid.enforce", Enforce::Strict);
    let guard = word(ctx, "rapid.guard", Guard::Commit);
    (enforce.max(policy.min_enforce), guard.max(policy.min_guard))
}

/// A word of git config. One that is none of the list counts as the strictest, and it is
/// said.
fn word<T: FromStr + Copy>(ctx: &Context<'_>, key: &str, strictest: T) -> T {
    let Some(value) = ctx.repo.config(key) else {
        return strictest;
    };
    value.lossy().trim().parse().unwrap_or_else(|_| {
        ctx.watch.note(&format!(
            "{key} is not a word that is known: {}",
            value.lossy()
        ));
        strictest
    })
}

fn paths(repo: &Repository, from: TreeId, to: TreeId) -> Result<Vec<RepoPath>, Error> {
    let changes = repo.diff_trees(from, to)?;
    Ok(changes.into_iter().map(|change| change.path).collect())
}

/// In a merge only paths that differ from every parent are this commit's own.
fn own_of_merge(
    ctx: &Context<'_>,
    changed: Vec<RepoPath>,
    tree: TreeId,
) -> Result<Vec<RepoPath>, Error> {
    let mut own = rule::in_merge(&ctx.repo, &changed, tree)?;
    for parent in named_by_merge(ctx) {
        let differs: BTreeSet<RepoPath> = paths(&ctx.repo, ctx.repo.tree_of(parent)?, tree)?
            .into_iter()
            .collect();
        own.retain(|path| differs.contains(path));
    }
    Ok(own)
}

/// What an unfinished `git merge` brings in, as it tells its hooks.
fn named_by_merge(ctx: &Context<'_>) -> Vec<CommitId> {
    ctx.environment
        .iter()
        .filter_map(|(name, _)| name.to_str()?.strip_prefix(MERGED))
        .filter_map(Oid::from_hex)
        .map(CommitId)
        .filter(|commit| ctx.repo.has_object(commit.0))
        .collect()
}

/// Of the paths that differ from what was tested those that lie on disk and are not staged.
fn only_on_disk(
    repo: &Repository,
    verification: &Verification<'_>,
    tree: TreeId,
) -> Result<Vec<RepoPath>, Error> {
    use std::os::unix::ffi::OsStrExt as _;
    let Verification::Other { differs, .. } = verification else {
        return Ok(Vec::new());
    };
    let root = repo.work_dir()?;
    let mut found = Vec::new();
    for path in differs {
        let file = root.join(std::ffi::OsStr::from_bytes(path.as_bytes()));
        if repo.entry_at(tree, path.as_bytes())?.is_none() && file.symlink_metadata().is_ok() {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// What only the disk can tell.
#[derive(Default)]
struct Looked {
    incomparable: Vec<RepoPath>,
    tree: Option<TreeId>,
}

/// Looks at the working tree only where a rule needs it: the policy binds it, or an entry of
/// the index hides what lies there.
fn look_at_disk(
    repo: &Repository,
    run: Option<&Run>,
    binding: CommitBinding,
) -> Result<Looked, Error> {
    let Some(run) = run else {
        return Ok(Looked::default());
    };
    if binding != CommitBinding::Snapshot && !repo.has_hiding_entries()? {
        return Ok(Looked::default());
    }
    Ok(match observe::snapshot(repo, run, &[])? {
        Ok(snapshot) => Looked {
            incomparable: Vec::new(),
            tree: Some(snapshot.tree),
        },
        Err(refused) => Looked {
            incomparable: refused.paths,
            tree: None,
        },
    })
}

/// The rule's refusal in words, with the commands that mend it.
fn explain(
    place: &Place<'_>,
    run: Option<&Run>,
    tree: TreeId,
    refusal: &crate::domain::commit_rule::Refusal,
) -> Result<Refusal, Error> {
    let Some(run) = run else {
        let word = refuse(refusal.code, "these paths are only committed in a run")
            .detail("paths", observe::paths_value(&refusal.paths));
        return Ok(word.hint("start one", &["git", "rapid", "start", "-m", "<what>"]));
    };
    let mut said = rule::explain(place, run, tree, refusal)?;
    match refusal.code {
        // The tree itself was tested; the rule binds what lies on disk as well.
        Code::OtherTreeVerified if refusal.verified_tree == Some(tree) => {
            said.message = "what lies on disk is not what was tested and staged".to_owned();
            said.hints.clear();
            Ok(said.hint(
                "test and commit all of it",
                &["git", "rapid", "commit", "-a"],
            ))
        }
        Code::Incomparable => {
            said.message = format!(
                "what lies on disk is hidden from git, so it cannot be compared: {}",
                observe::list_paths(&refusal.paths)
            );
            let mut command = vec![
                "git",
                "update-index",
                "--no-assume-unchanged",
                "--no-skip-worktree",
                "--",
            ];
            let names: Vec<String> = refusal.paths.iter().map(RepoPath::quoted).collect();
            command.extend(names.iter().map(String::as_str));
            Ok(said.hint("show it", &command))
        }
        Code::NeverVerified | Code::OtherTreeVerified => {
            said.message = Code::NeverVerified.meaning().to_owned();
            said.hints.clear();
            if refusal.only_untracked {
                let names: Vec<String> = refusal.paths.iter().map(RepoPath::quoted).collect();
                let mut command = vec!["git", "add", "--"];
                command.extend(names.iter().map(String::as_str));
                said = said.hint("stage what was tested with it", &command);
            }
            let after_another = crate::porcelain::hooks::runs_after_another(place)?;
            if after_another {
                said = said.advice("a hook of yours ran before this one: if it changed files, they have to be tested as they are now");
            }
            Ok(said
                .hint(
                    "test and commit in one go",
                    &["git", "rapid", "commit", "-a"],
                )
                .hint(
                    "save work untested",
                    &["git", "rapid", "commit", "--wip", "-a"],
                ))
        }
        Code::OutOfScope | Code::ProtectedPath => {
            said.hints.clear();
            let names: Vec<String> = refusal.paths.iter().map(RepoPath::quoted).collect();
            // Before the first commit there is nothing to restore from.
            let mut command = if place.head()?.commit.is_some() {
                vec!["git", "restore", "--staged", "--"]
            } else {
                vec!["git", "rm", "--cached", "--"]
            };
            command.extend(names.iter().take(NAMED).map(String::as_str));
            said = said.hint("leave it out of this commit", &command);
            if refusal.code == Code::OutOfScope {
                said = said.hint(
                    "or start again with it in the plan",
                    &["git", "rapid", "supersede", "--spec-file", "<file>"],
                );
            }
            Ok(said)
        }
        Code::RunNotActive => {
            said.message = format!(
                "{} is {}: nothing is committed under it yet",
                run.id, run.state.status
            );
            Ok(said
                .detail("run", run.id.as_str())
                .hint("see what comes next", &["git", "rapid", "next"]))
        }
        _ => Ok(said),
    }
}

fn objection_of(
    repo: &Repository,
    run: Option<&Run>,
    verification: &Verification<'_>,
    tree: TreeId,
    refusal: Refusal,
    only_said: bool,
) -> Result<Objection, Error> {
    let of_tree = [Code::NeverVerified, Code::OtherTreeVerified].contains(&refusal.code);
    let mut objection = Objection {
        refusal,
        only_said,
        to_commit: tree,
        tested: None,
        differs: Vec::new(),
    };
    let (
        true,
        Some(run),
        Verification::Other {
            tree: other,
            record,
            differs,
        },
    ) = (of_tree, run, verification)
    else {
        return Ok(objection);
    };
    let counts = run
        .evidence(record)
        .and_then(|record| record.body.check()?.counts.as_ref())
        .map(super::check::count_words);
    objection.tested = Some(Tested {
        tree: *other,
        counts: counts.unwrap_or_default(),
    });
    for path in differs {
        let lines = repo.count_lines(*other, tree, path)?;
        let lines = lines.added.zip(lines.deleted);
        objection.differs.push((path.clone(), lines));
    }
    Ok(objection)
}

/// The file that holds the message of the commit that git is about to make gets the trailers
/// of the run.
pub fn write_trailers(
    ctx: &Context<'_>,
    file: &std::path::Path,
    ruling: &Ruling,
) -> Result<(), Error> {
    let Some(run) = &ruling.run else {
        return Ok(());
    };
    // Git gives its hooks this editor when it opened none.
    let edited = variable(ctx, "GIT_EDITOR").is_none_or(|editor| editor != ":");
    super::commit::trailers::write(&ctx.repo, file, edited, run, &ruling.verified)
}

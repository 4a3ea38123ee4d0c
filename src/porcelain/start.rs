//! `start`: from a spec to a run that can be worked on.
//!
//! A sequence of appends, each leaving a run that `next` can continue: the spec; contract,
//! workspace and journal together; the baseline; the step into work.

use super::{
    Context, Error, baseline,
    error::refuse,
    judge, observe, session,
    spec_store::{self, StoredSpec},
    target::{self, Place},
};
use crate::{
    conductor::{NextAction, Playbook},
    diagnostic::Code,
    domain::{
        bytes::ByteText,
        contract::{
            Base, Bystander, Contract, Criterion, NamedCheck, PolicyRef, Scope, SpecRef, Task,
        },
        digest::Digest,
        event::EventCode,
        event::{Event, EventSubject},
        evidence::{Evidence, Payload, WorkspaceSeen},
        gate::GateKind,
        id::{AcceptanceId, RunId, SpecId, TaskId},
        oid::{CommitId, TreeId},
        path::RepoPath,
        policy::{
            self, Decision, ModeQuestion, NotEligible, PolicyDocument, Request as PolicyRequest,
        },
        producer::Producer,
        record::Body,
        scope::{Matcher, Pattern},
        spec::{ChangeTraits, NotReady, Spec, TestCommand, from_sentence},
        vocabulary::{GateStatus, Mode, Risk, SpecState, Tier, Workspace},
    },
    git::{Repository, Snapshot, SnapshotRequest, WorktreeInfo},
    ledger::{Draft, JournalNote, Ledger, StreamName},
};
use std::path::PathBuf;

/// Where the spec comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// One sentence; the mode's template supplies the rest.
    Sentence(String),
    /// A document's bytes, and what to call it in errors.
    Document(Vec<u8>),
    /// A stored spec, at a revision or the newest.
    Stored(SpecId, Option<u32>),
}

/// What the user asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The mode, when one was named.
    pub mode: Option<Mode>,
    /// The spec.
    pub source: Source,
    /// The write scope of a sentence's spec.
    pub paths: Vec<Pattern>,
    /// A linked worktree on request: `Some(None)` at the usual place.
    pub worktree: Option<Option<PathBuf>>,
    /// The test command.
    pub test_command: Option<Vec<ByteText>>,
    /// More care than the rules ask.
    pub risk: Option<Risk>,
    /// A plan is asked for.
    pub plan: bool,
    /// No change is asked for.
    pub read_only: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The next action; its `run_id` is null when the spec is only a draft.
    pub next: NextAction,
    /// What a person may want to know.
    pub started: Option<Started>,
    /// Why the spec is only a draft: exit 1.
    pub draft: Option<Vec<String>>,
}

/// The run that was started.
#[derive(Clone, Debug)]
pub struct Started {
    /// Its name.
    pub run: RunId,
    /// What was decided.
    pub decision: Decision,
    /// The row that chose the mode, when none was named.
    pub mode_row: Option<&'static str>,
    /// The pinned checks.
    pub checks: Vec<NamedCheck>,
    /// The linked worktree that was made.
    pub worktree: Option<PathBuf>,
    /// Tracked changes that were there and count as this run's.
    pub dirty: Vec<RepoPath>,
    /// Uncommitted work that stays behind when the run lives elsewhere.
    pub left_behind: Vec<RepoPath>,
    /// Untracked files that are not this run's.
    pub bystanders: Vec<RepoPath>,
}

/// Starts a run, or continues the one that a killed `start` left.
pub fn run(ctx: &Context<'_>, request: &Request) -> Result<Outcome, Error> {
    ctx.repo.work_dir()?;
    ctx.repo.committer()?;
    refuse_bound(ctx)?;
    let head = ctx.repo.head()?;
    let base_tree = match head.commit {
        Some(commit) => ctx.repo.tree_of(commit)?,
        None => ctx.repo.empty_tree(),
    };
    refuse_project_rules(&ctx.repo, base_tree)?;
    let (spec, bytes, mode_row) = spec_of(ctx, request)?;
    let not_ready = spec.not_ready();
    if !not_ready.is_empty() {
        return draft_only(ctx, &spec, &bytes, &not_ready);
    }
    let policy = PolicyDocument::built_in();
    let checks = pinned_checks(ctx, request, &spec)?;
    let decision = policy::decide(
        &spec,
        &PolicyRequest {
            risk: request.risk,
            checks: &checks,
            base_is_empty: ctx.repo.read_tree(base_tree)?.is_empty(),
            has_architecture: false,
            policy: &policy,
        },
    )
    .map_err(|why| not_eligible(&spec, &checks, &why))?;
    let isolate = wants_worktree(ctx, request, decision.workspace)?;
    let scope = scope_of(&spec);
    let start = start_of(ctx, &scope, base_tree, isolate)?;
    let stored = spec_store::store(&ctx.repo, &spec, &bytes)?;
    refuse_not_ready(&stored)?;
    let id = next_run_id(&ctx.repo, &stored.id, stored.revision.revision)?;

    let made = if isolate {
        Some(make_worktree(
            ctx,
            &id,
            request.worktree.clone().flatten(),
            head.commit,
        )?)
    } else {
        None
    };
    let place = match &made {
        Some(info) => Place::There(Box::new(ctx.repo.open_worktree(info)?)),
        None => Place::Here(&ctx.repo),
    };
    let contract = contract_of(
        ctx,
        ContractParts {
            spec: &spec,
            stored: &stored,
            decision: &decision,
            base: Base {
                commit: head.commit,
                tree: base_tree,
                start_tree: start.tree,
            },
            bystanders: &start.bystanders,
            scope,
            checks: &checks,
            policy: &policy,
            predecessor: None,
        },
    )?;
    let run = open_run(ctx, &place, &id, contract, &stored.bytes, &policy)?;
    session::bind(&place, &run.id, run.contract_digest)?;
    if let Some(info) = &made {
        remember_elsewhere(ctx, &run.id, run.contract_digest, info)?;
    }
    let run = go_on(ctx, &place, run)?;
    Ok(Outcome {
        next: judge::next_of(ctx, &place, &run)?,
        started: Some(Started {
            run: run.id.clone(),
            decision,
            mode_row,
            checks,
            worktree: made.map(|info| info.path),
            dirty: start.dirty,
            left_behind: start.left_behind,
            bystanders: start
                .bystanders
                .into_iter()
                .map(|bystander| bystander.path)
                .collect(),
        }),
        draft: None,
    })
}

/// Measures the baseline and steps into work, as far as a machine can.
pub(super) fn go_on(
    ctx: &Context<'_>,
    place: &Place<'_>,
    run: crate::domain::run::Run,
) -> Result<crate::domain::run::Run, Error> {
    let has_baseline = run
        .contract
        .gates
        .iter()
        .any(|gate| gate.kind == GateKind::BaselineCheck);
    let run = if has_baseline {
        baseline::measure_baseline(ctx, place, run)?
    } else {
        run
    };
    baseline::activate(place, run, "start")
}

fn refuse_bound(ctx: &Context<'_>) -> Result<(), Error> {
    let bound = target::bound(&ctx.repo)?;
    match bound.run {
        Some(run) if run.state.status != crate::domain::vocabulary::RunStatus::Paused => {
            Err(refuse(
                Code::RunBoundHere,
                format!("{} is bound to this worktree and branch", run.id),
            )
            .detail("run", run.id.as_str())
            .detail("status", run.state.status.as_str())
            .hint("go on with it", &["git", "rapid", "next"])
            .hint("put it aside", &["git", "rapid", "pause"])
            .hint("give it up", &["git", "rapid", "abort"])
            .into())
        }
        _ => Ok(()),
    }
}

/// A project's own rules that this version cannot apply are refused, never ignored.
fn refuse_project_rules(repo: &Repository, base: TreeId) -> Result<(), Error> {
    for file in [".rapid/policy.json", ".rapid/architecture.json"] {
        if repo.entry_at(base, file.as_bytes())?.is_some() {
            return Err(refuse(
                Code::PolicyInvalid,
                format!("{file} is in the base tree and this version cannot apply it"),
            )
            .detail("path", file)
            .advice("use a version of git-rapid that reads project rules: ignoring them would loosen them")
            .into());
        }
    }
    Ok(())
}

/// The spec, its exact bytes, and the row that chose the mode when none was named.
fn spec_of(
    ctx: &Context<'_>,
    request: &Request,
) -> Result<(Spec, Vec<u8>, Option<&'static str>), Error> {
    match &request.source {
        Source::Sentence(title) => {
            let (mode, row) = match request.mode {
                Some(mode) => (mode, None),
                None => resolved_mode(request)?,
            };
            let texts = Playbook::of(mode).sentence_texts(ctx.lang);
            let paths = (!request.paths.is_empty()).then(|| request.paths.clone());
            let spec = from_sentence(title, mode, paths, &texts);
            let document = crate::domain::spec::template_json(&spec);
            let bytes = crate::domain::canonical::to_bytes(&document);
            // What is stored is read back: a sentence is checked like any document.
            Ok((spec_store::read(&bytes)?, bytes, row))
        }
        Source::Document(bytes) => {
            let spec = spec_store::read(bytes)?;
            same_mode(request, &spec)?;
            Ok((spec, bytes.clone(), None))
        }
        Source::Stored(id, revision) => {
            let stored = spec_store::load(&ctx.repo, id, *revision)?;
            if stored.state == SpecState::Archived {
                return Err(refuse(Code::SpecLifecycle, format!("{id} is archived"))
                    .detail("spec", id.as_str())
                    .into());
            }
            let spec = spec_store::read(&stored.bytes)?;
            same_mode(request, &spec)?;
            Ok((spec, stored.bytes, None))
        }
    }
}

fn resolved_mode(request: &Request) -> Result<(Mode, Option<&'static str>), Error> {
    let answer = policy::resolve_mode(&ModeQuestion {
        read_only: request.read_only,
        open_question: false,
        plan: request.plan,
        risk: request.risk.unwrap_or(Risk::Low),
        change: ChangeTraits {
            clear: true,
            bounded: true,
            reversible: true,
            checkable: true,
        },
    });
    match answer.mode {
        Some(mode) => Ok((mode, Some(answer.row))),
        None => Err(refuse(
            Code::NotEligible,
            "a person has to say first what is wanted",
        )
        .into()),
    }
}

fn same_mode(request: &Request, spec: &Spec) -> Result<(), Error> {
    match request.mode {
        Some(asked) if asked != spec.mode => Err(refuse(
            Code::SpecContent,
            format!("{asked} was asked for and the spec says mode {}", spec.mode),
        )
        .detail("asked", asked.as_str())
        .detail("spec", spec.mode.as_str())
        .hint(
            "start it as it says",
            &["git", "rapid", "start", "--spec-file", "<file>"],
        )
        .into()),
        _ => Ok(()),
    }
}

/// Keeps a spec that is not ready, and says what a person has to answer.
fn draft_only(
    ctx: &Context<'_>,
    spec: &Spec,
    bytes: &[u8],
    missing: &[NotReady],
) -> Result<Outcome, Error> {
    let stored = spec_store::store(&ctx.repo, spec, bytes)?;
    let mut words = Vec::new();
    for why in missing {
        match why {
            NotReady::NoTask => words.push("implementation_tasks is empty".to_owned()),
            NotReady::NoCriterion => words.push("acceptance_criteria is empty".to_owned()),
            NotReady::OpenQuestions(questions) => words.extend(questions.iter().cloned()),
        }
    }
    let cwd = ctx.repo.work_dir()?.display().to_string();
    let next = crate::conductor::await_spec(spec.mode, &stored.id, &words, ctx.lang, &cwd);
    Ok(Outcome {
        next,
        started: None,
        draft: Some(words),
    })
}

fn refuse_not_ready(stored: &StoredSpec) -> Result<(), Error> {
    if stored.state == SpecState::Ready {
        return Ok(());
    }
    Err(refuse(
        Code::SpecLifecycle,
        format!("{} is {}", stored.id, stored.state),
    )
    .detail("spec", stored.id.as_str())
    .into())
}

/// The checks to pin: option, spec, config, else what the project's files tell.
fn pinned_checks(
    ctx: &Context<'_>,
    request: &Request,
    spec: &Spec,
) -> Result<Vec<NamedCheck>, Error> {
    let named = |argv: Vec<ByteText>, cwd: Option<RepoPath>, source: &str| NamedCheck {
        name: "test".to_owned(),
        argv,
        cwd: cwd.unwrap_or_else(RepoPath::root),
        paths: Vec::new(),
        tier: Tier::Both,
        timeout: None,
        report: None,
        source: source.to_owned(),
    };
    if let Some(argv) = &request.test_command {
        return Ok(vec![named(argv.clone(), None, "option")]);
    }
    if let Some(TestCommand { argv, cwd }) = &spec.test_command {
        return Ok(vec![named(argv.clone(), cwd.clone(), "spec")]);
    }
    Ok(project_check(&ctx.repo)?
        .map(|(argv, source)| named(argv, None, &source))
        .into_iter()
        .collect())
}

/// The project's test command and where it comes from: config, else a file in the root.
pub(super) fn project_check(repo: &Repository) -> Result<Option<(Vec<ByteText>, String)>, Error> {
    if let Some(text) = repo.config("rapid.testCommand") {
        return Ok(Some((words_of(&text.lossy())?, "config".to_owned())));
    }
    let root = repo.work_dir()?.to_owned();
    let mut read = |name: &str| std::fs::read(root.join(name)).ok();
    Ok(policy::detect_test_command(&mut read).map(|found| (found.argv, found.source.to_owned())))
}

/// POSIX words without a shell: an operator is refused, because nothing would interpret it.
pub fn words_of(text: &str) -> Result<Vec<ByteText>, Error> {
    let refusal = |why: &str| {
        Error::from(
            refuse(Code::Usage, format!("the test command {text:?} {why}"))
                .detail("command", text)
                .hint("give it to a shell yourself", &["sh", "-c", text]),
        )
    };
    let words = shell_words::split(text).map_err(|_| refusal("has an open quote"))?;
    let operator = |word: &String| {
        ["&&", "||", "|", ";", "<", ">", "&", ">>"].contains(&word.as_str()) || word.ends_with(';')
    };
    if words.iter().any(operator) {
        return Err(refusal("needs a shell, and none is used"));
    }
    if words.is_empty() {
        return Err(refusal("is empty"));
    }
    Ok(words.into_iter().map(ByteText::from).collect())
}

pub(super) fn not_eligible(spec: &Spec, checks: &[NamedCheck], why: &NotEligible) -> Error {
    match why {
        NotEligible::Direct(reasons) => refuse(
            Code::NotEligible,
            format!("not eligible for direct: {}", reasons.join(", ")),
        )
        .detail("reasons", reasons.clone())
        .hint(
            "start it as a feature",
            &["git", "rapid", "start", "feature", "-m", &spec.title],
        )
        .into(),
        NotEligible::NoCheck => {
            debug_assert!(checks.is_empty());
            refuse(
                Code::NotEligible,
                "no test command: the tests gate could never be closed",
            )
            .hint(
                "name one",
                &[
                    "git",
                    "rapid",
                    "start",
                    spec.mode.as_str(),
                    "-m",
                    &spec.title,
                    "--test-command",
                    "<command>",
                ],
            )
            .hint(
                "or set one for the project",
                &["git", "config", "rapid.testCommand", "<command>"],
            )
            .into()
        }
        NotEligible::Downgrade { asked, found } => refuse(
            Code::Loosening,
            format!("the risk is {found}; {asked} was asked for, and less is not given"),
        )
        .detail("asked", asked.as_str())
        .detail("found", found.as_str())
        .hint(
            "leave the risk to the rules",
            &[
                "git",
                "rapid",
                "start",
                spec.mode.as_str(),
                "-m",
                &spec.title,
            ],
        )
        .into(),
    }
}

/// Whether a linked worktree has to be made. One with no other run bound is isolated already.
fn wants_worktree(
    ctx: &Context<'_>,
    request: &Request,
    workspace: Workspace,
) -> Result<bool, Error> {
    if request.worktree.is_some() {
        return Ok(true);
    }
    Ok(workspace == Workspace::Isolated && ctx.repo.worktree_id() == "main")
}

/// The declared scope. Research without one declares nothing.
pub(super) fn scope_of(spec: &Spec) -> Scope {
    let patterns = match (&spec.affected_paths, spec.mode) {
        (Some(paths), _) => Some(paths.clone()),
        (None, Mode::Research) => Some(Vec::new()),
        (None, _) => None,
    };
    let named: Vec<&Pattern> = patterns.iter().flatten().collect();
    let protected = PolicyDocument::built_in()
        .protected_paths
        .into_iter()
        .filter(|pattern| !named.iter().any(|named| names_protected(named, pattern)))
        .collect();
    Scope {
        patterns,
        protected,
    }
}

/// Whether a declared pattern names a protected place on purpose.
fn names_protected(named: &Pattern, protected: &Pattern) -> bool {
    let place = protected
        .as_str()
        .trim_end_matches("**")
        .trim_end_matches('/');
    named.as_str() == place || named.as_str().starts_with(&format!("{place}/"))
}

/// What lies there at the start.
struct Start {
    tree: TreeId,
    bystanders: Vec<Bystander>,
    dirty: Vec<RepoPath>,
    left_behind: Vec<RepoPath>,
}

/// Looks at the working tree. Tracked changes inside the scope are this run's; outside a
/// declared scope they are refused. A run that lives elsewhere starts clean.
fn start_of(
    ctx: &Context<'_>,
    scope: &Scope,
    base_tree: TreeId,
    elsewhere: bool,
) -> Result<Start, Error> {
    let request = SnapshotRequest {
        no_untracked: true,
        ..SnapshotRequest::default()
    };
    let snapshot: Snapshot = ctx
        .repo
        .snapshot(&request)?
        .map_err(|refused| observe::refuse_no_snapshot(&observe::no_snapshot(refused)))?;
    let dirty: Vec<RepoPath> = ctx
        .repo
        .diff_trees(base_tree, snapshot.tree)?
        .into_iter()
        .map(|change| change.path)
        .collect();
    let untracked = snapshot.bystanders.iter().map(|(path, _)| path.clone());
    if elsewhere {
        let left_behind = dirty.into_iter().chain(untracked).collect();
        return Ok(Start {
            tree: base_tree,
            bystanders: Vec::new(),
            dirty: Vec::new(),
            left_behind,
        });
    }
    if let Some(patterns) = &scope.patterns {
        let matcher = Matcher::new(patterns);
        let outside: Vec<RepoPath> = dirty
            .iter()
            .filter(|path| !matcher.admits(path))
            .cloned()
            .collect();
        if !outside.is_empty() {
            return Err(refuse(
                Code::OutOfScope,
                format!(
                    "changed already and outside the declared scope: {}",
                    observe::list_paths(&outside)
                ),
            )
            .detail("paths", observe::paths_value(&outside))
            .hint("put it aside", &["git", "stash"])
            .hint(
                "or declare it",
                &["git", "rapid", "start", "--paths", &outside[0].quoted()],
            )
            .hint(
                "or work elsewhere",
                &["git", "rapid", "start", "--worktree"],
            )
            .into());
        }
    }
    let bystanders = snapshot
        .bystanders
        .into_iter()
        .map(|(path, blob)| Bystander { path, blob })
        .collect();
    Ok(Start {
        tree: snapshot.tree,
        bystanders,
        dirty,
        left_behind: Vec::new(),
    })
}

/// The next free ordinal, over refs, journals and fetched copies; one whose branch exists
/// already (a `start` that was killed) is passed over.
pub(super) fn next_run_id(repo: &Repository, spec: &SpecId, revision: u32) -> Result<RunId, Error> {
    let ledger = Ledger::new(repo);
    let first = RunId::new(spec, revision, 1);
    let (head, _) = first.split_ordinal();
    let mut highest = ledger
        .runs()?
        .iter()
        .map(RunId::split_ordinal)
        .filter(|(known, _)| *known == head)
        .map(|(_, ordinal)| ordinal)
        .max()
        .unwrap_or(0);
    loop {
        highest += 1;
        let id = RunId::new(spec, revision, highest);
        if repo.find_ref(&format!("refs/heads/rapid/{id}"))?.is_none() {
            return Ok(id);
        }
    }
}

/// Makes the linked worktree of a run, on a new branch at HEAD; at the usual place when
/// none is named.
pub(super) fn make_worktree(
    ctx: &Context<'_>,
    id: &RunId,
    path: Option<PathBuf>,
    head: Option<CommitId>,
) -> Result<WorktreeInfo, Error> {
    let commit = head.ok_or_else(|| {
        refuse(
            Code::NotEligible,
            "isolated work needs a commit to start from, and this branch has none",
        )
        .hint(
            "make a first commit",
            &["git", "commit", "--allow-empty", "-m", "begin"],
        )
    })?;
    let path = match path {
        Some(path) => ctx.cwd.join(path),
        None => usual_worktree(&ctx.repo, id)?,
    };
    Ok(ctx
        .repo
        .add_worktree(&path, &format!("rapid/{id}"), commit)?)
}

/// `<repo>/../<name>.rapid/<run>`, beside the main worktree.
fn usual_worktree(repo: &Repository, id: &RunId) -> Result<PathBuf, Error> {
    let main = repo.worktrees()?.into_iter().next().map(|info| info.path);
    let root = match main {
        Some(path) => path,
        None => repo.work_dir()?.to_owned(),
    };
    let name = root
        .file_name()
        .map_or_else(|| "repository".into(), std::ffi::OsStr::to_owned);
    let mut folder = name;
    folder.push(".rapid");
    Ok(root
        .parent()
        .unwrap_or(&root)
        .join(folder)
        .join(id.as_str()))
}

/// Writes down in the caller's worktree where the run lives.
pub(super) fn remember_elsewhere(
    ctx: &Context<'_>,
    id: &RunId,
    contract: Digest,
    info: &WorktreeInfo,
) -> Result<(), Error> {
    let mut here = session::read_or_new(&ctx.repo)?;
    here.elsewhere.retain(|run| run.contract != contract);
    here.elsewhere.push(session::ElsewherePointer {
        id: id.clone(),
        contract,
        worktree: info.path.display().to_string(),
    });
    session::write(&ctx.repo, &here)
}

/// What a contract is made of.
pub(super) struct ContractParts<'a> {
    pub(super) spec: &'a Spec,
    pub(super) stored: &'a StoredSpec,
    pub(super) decision: &'a Decision,
    pub(super) base: Base,
    pub(super) bystanders: &'a [Bystander],
    pub(super) scope: Scope,
    pub(super) checks: &'a [NamedCheck],
    pub(super) policy: &'a PolicyDocument,
    pub(super) predecessor: Option<Digest>,
}

pub(super) fn contract_of(ctx: &Context<'_>, parts: ContractParts<'_>) -> Result<Contract, Error> {
    let tasks = parts
        .spec
        .implementation_tasks
        .iter()
        .enumerate()
        .map(|(place, task)| Task {
            id: TaskId::at(place + 1),
            description: task.description.clone(),
            paths: task.paths.clone(),
            checks: task.checks.clone(),
            after: task.after.clone(),
            minutes: task.minutes,
            attempts: task.attempts,
        });
    let acceptance = parts
        .spec
        .acceptance_criteria
        .iter()
        .enumerate()
        .map(|(place, criterion)| Criterion {
            id: AcceptanceId::at(place + 1),
            text: criterion.text.clone(),
            check: criterion.check.clone(),
        });
    Ok(Contract {
        mode: parts.spec.mode,
        class: parts.decision.class,
        risk: parts.decision.risk,
        signals: parts.decision.signals.clone(),
        reasons: parts.decision.reasons.clone(),
        workspace: parts.decision.workspace,
        spec: SpecRef {
            stream: parts.stored.stream,
            record: parts.stored.record,
            id: parts.stored.id.clone(),
            revision: parts.stored.revision.revision,
        },
        acceptance_digest: parts.stored.revision.acceptance_digest,
        base: parts.base,
        bystanders: parts.bystanders.to_vec(),
        target: target_branch(&ctx.repo)?,
        scope: parts.scope,
        tasks: tasks.collect(),
        acceptance: acceptance.collect(),
        gates: parts.decision.gates.clone(),
        capabilities: parts.decision.capabilities.clone(),
        checks: parts.checks.to_vec(),
        policy: PolicyRef {
            source: "built-in".to_owned(),
            digest: Digest::of(&parts.policy.to_bytes()),
        },
        harness: ctx.agent.clone(),
        author: None,
        predecessor: parts.predecessor,
        ruleset_version: 3,
    })
}

/// The branch the work is meant for: configured, the remote's HEAD branch, else the first
/// usual name that exists.
fn target_branch(repo: &Repository) -> Result<Option<ByteText>, Error> {
    if let Some(target) = repo.config("rapid.target") {
        return Ok(Some(target));
    }
    let remote = repo
        .config("rapid.remote")
        .map_or_else(|| "origin".to_owned(), |name| name.lossy().into_owned());
    if let Some(name) = repo.symbolic_target(&format!("refs/remotes/{remote}/HEAD"))?
        && let Some(branch) = name.strip_prefix(&format!("refs/remotes/{remote}/"))
    {
        return Ok(Some(branch.into()));
    }
    let configured = repo
        .config("init.defaultBranch")
        .map(|name| name.lossy().into_owned());
    for name in configured
        .iter()
        .map(String::as_str)
        .chain(["main", "master"])
    {
        if repo.find_ref(&format!("refs/heads/{name}"))?.is_some() {
            return Ok(Some(name.into()));
        }
    }
    Ok(None)
}

/// Opens the run: contract, workspace and journal in one transaction.
pub(super) fn open_run(
    ctx: &Context<'_>,
    place: &Place<'_>,
    id: &RunId,
    contract: Contract,
    spec_bytes: &[u8],
    policy: &PolicyDocument,
) -> Result<crate::domain::run::Run, Error> {
    let ledger = Ledger::new(&ctx.repo);
    let writer = ledger.writer()?;
    let producer = Producer::rapid("start");
    let subject = format!("{} run opened, {} risk", contract.mode, contract.risk);
    let isolation = contract
        .gates
        .iter()
        .any(|gate| gate.kind == GateKind::WorkspaceIsolation);
    let seen = workspace_seen(place)?;
    let isolated = seen.mode == Workspace::Isolated;
    let mut evidence = Evidence::of(Payload::Workspace(seen));
    evidence.capabilities = vec![format!("workspace.{}", contract.workspace)];
    if isolation {
        evidence.gates = vec![GateKind::WorkspaceIsolation.gate_id()];
    }
    let mut records: Vec<(Producer, Body)> = vec![
        (producer.clone(), contract.into()),
        (producer.clone(), evidence.into()),
    ];
    if isolation && isolated {
        let gate = GateKind::WorkspaceIsolation.gate_id();
        records.push((
            producer,
            Event {
                subject: EventSubject::Gate(gate),
                from: Some(GateStatus::Pending.to_string()),
                to: Some(GateStatus::Acknowledged.to_string()),
                code: EventCode::EvidenceHolds,
                reason: None,
            }
            .into(),
        ));
    }
    let taken = || {
        refuse(
            Code::RunNotFound,
            format!("{id} was taken by another process; start again"),
        )
    };
    let appended = ledger.append(
        &StreamName::Run(id.clone()),
        |stream| -> Result<Option<Draft>, Error> {
            if stream.is_some() {
                return Err(taken().into());
            }
            Ok(Some(Draft {
                subject: subject.clone(),
                records: records.clone(),
                artifacts: vec![spec_bytes.to_vec(), policy.to_bytes()],
                subject_tree: None,
                journal: Some(JournalNote::Opened {
                    writer: writer.clone(),
                }),
            }))
        },
    )?;
    let appended = appended.ok_or_else(taken)?;
    crate::domain::run::fold(id.clone(), appended.records).map_err(|source| {
        crate::ledger::Error::NotARun {
            stream: StreamName::Run(id.clone()).ref_name(),
            source,
        }
        .into()
    })
}

/// Where the work of `repo`'s worktree happens.
pub(super) fn workspace_seen(repo: &Repository) -> Result<WorkspaceSeen, Error> {
    let worktree = repo.worktree_id();
    Ok(WorkspaceSeen {
        mode: if worktree == "main" {
            Workspace::Current
        } else {
            Workspace::Isolated
        },
        worktree,
        branch: repo.head()?.branch.map(ByteText),
    })
}

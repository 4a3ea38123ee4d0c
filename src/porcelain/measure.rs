//! Running one command on a run's working tree and saying how it ended, on which tree.
//!
//! The snapshot is taken before and after. When they differ the result names the paths and
//! counts for nothing; when only generated files moved (lock files), the command runs once
//! more by itself.

use super::{Context, Error, error::refuse, observe};
use crate::{
    check::{self, Counted, Ended, Exit, Secrets},
    diagnostic::{Code, Refusal},
    domain::{
        bytes::ByteText,
        contract::NamedCheck,
        digest::Digest,
        duration,
        evidence::{CheckResult, Counts, Environment, Evidence, Hidden, LogRef, Payload, Subject},
        id::{AcceptanceId, GateId, TaskId},
        oid::TreeId,
        path::RepoPath,
        policy::PolicyDocument,
        run::Run,
        scope::Matcher,
        vocabulary::{Expectation, Note, SubjectKind},
    },
    git::{Repository, Snapshot},
    ledger::Ledger,
};
use std::{
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

/// How many names a record lists.
const NAMES: usize = 50;
/// Seconds a command may take when nobody said otherwise.
const DEFAULT_TIMEOUT: u64 = 3600;
/// Bytes of output that are kept when nobody said otherwise.
const DEFAULT_LOG_LIMIT: usize = 256 * 1024;
/// With less no summary line would be left to count.
const LEAST_LOG_LIMIT: usize = 1024;
/// It is held in memory.
const MOST_LOG_LIMIT: usize = 256 * 1024 * 1024;
/// The config keys.
const TIMEOUT: &str = "rapid.timeout";
const LOG_LIMIT: &str = "rapid.logLimit";
/// Whether secrets are taken out of the output that is kept.
const REDACT: &str = "rapid.redact";

/// What to run, and what for.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The named check's name; `None` for any other command.
    pub(super) check: Option<String>,
    /// The command, word by word.
    pub(super) argv: Vec<ByteText>,
    /// Where, relative to the root.
    pub(super) cwd: RepoPath,
    /// When it is ended; `None`: as configured.
    pub(super) timeout: Option<Duration>,
    /// What it should do.
    pub(super) expectation: Expectation,
    /// Report files it writes, relative to `cwd`.
    pub(super) reports: Vec<ByteText>,
    /// Tasks it speaks for.
    pub(super) tasks: Vec<TaskId>,
    /// Gates it speaks for.
    pub(super) gates: Vec<GateId>,
    /// Criteria it speaks for.
    pub(super) acceptance: Vec<AcceptanceId>,
}

impl Plan {
    /// A pinned check.
    pub(super) fn named(check: &NamedCheck) -> Self {
        Self {
            check: Some(check.name.clone()),
            argv: check.argv.clone(),
            cwd: check.cwd.clone(),
            timeout: check.timeout.map(Duration::from_secs),
            expectation: Expectation::Pass,
            reports: check.report.iter().cloned().collect(),
            tasks: Vec::new(),
            gates: Vec::new(),
            acceptance: Vec::new(),
        }
    }

    /// Any command.
    pub(super) fn words(argv: Vec<ByteText>, cwd: RepoPath) -> Self {
        Self {
            check: None,
            argv,
            cwd,
            timeout: None,
            expectation: Expectation::Pass,
            reports: Vec::new(),
            tasks: Vec::new(),
            gates: Vec::new(),
            acceptance: Vec::new(),
        }
    }

    /// The command as a person would type it.
    pub(super) fn command_line(&self) -> String {
        shell_words::join(self.argv.iter().map(ByteText::lossy))
    }
}

/// How it ended.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    /// The evidence, ready to be appended.
    pub(super) evidence: Evidence,
    /// The kept output.
    pub(super) log: Vec<u8>,
}

/// The folder a plan runs in, absolute.
fn folder(root: &Path, cwd: &RepoPath) -> PathBuf {
    if *cwd == RepoPath::root() {
        root.to_owned()
    } else {
        root.join(std::ffi::OsStr::from_bytes(cwd.as_bytes()))
    }
}

/// What the result depends on besides the tree.
pub(super) fn environment(
    ctx: &Context<'_>,
    repo: &Repository,
    program: Option<&Path>,
) -> Result<Environment, Error> {
    Ok(Environment {
        os: std::env::consts::OS.to_owned(),
        arch: std::env::consts::ARCH.to_owned(),
        git: repo.git_version()?,
        rapid: env!("CARGO_PKG_VERSION").to_owned(),
        agent: ctx.agent.clone(),
        ci: ctx.ci.clone(),
        hooks: super::hooks::state(repo)?.are_active(),
        program: program.map(|path| ByteText(path.as_os_str().as_bytes().to_vec())),
    })
}

/// Runs a plan on the working tree of `repo`. Keeps nothing yet: the caller appends.
pub(super) fn measure(
    ctx: &Context<'_>,
    repo: &Repository,
    run: &Run,
    policy: &PolicyDocument,
    plan: &Plan,
    why: &str,
) -> Result<Measured, Error> {
    let root = repo.work_dir()?.to_owned();
    let cwd = folder(&root, &plan.cwd);
    let reports = report_files(&root, &cwd, &plan.reports);
    let leave_out: Vec<RepoPath> = reports
        .iter()
        .filter_map(|report| report.inside.clone())
        .collect();
    let take = || -> Result<Snapshot, Error> {
        observe::snapshot(repo, run, &leave_out)?
            .map_err(|refused| observe::refuse_no_snapshot(&refused).into())
    };
    let environment_of_child = child_environment(ctx);
    let secrets = configured_redact(repo)?.then(|| Secrets::of(&environment_of_child));
    let command = check::Command {
        argv: plan.argv.clone(),
        cwd,
        environment: environment_of_child,
        timeout: Some(match plan.timeout {
            Some(timeout) => timeout,
            None => configured_timeout(repo)?,
        }),
        log_limit: configured_log_limit(repo)?,
        redact: secrets.clone(),
        supervisor: ctx.executable.clone(),
    };
    let generated = Matcher::new(&policy.generated);
    // What the command needs gets ready while the snapshot is taken.
    let mut prepared = Some(check::prepare(&command)?);
    let first = take()?;
    let mut before = first.clone();
    loop {
        let stamps: Vec<Option<Stamp>> = reports
            .iter()
            .map(|report| Stamp::of(&report.file))
            .collect();
        ctx.watch.started(&plan.command_line(), why);
        let ready = match prepared.take() {
            Some(ready) => ready,
            None => check::prepare(&command)?,
        };
        let ended = ready.run(&ctx.interrupt, &mut |bytes| ctx.watch.output(bytes))?;
        if ended.interrupted {
            return Err(Error::Interrupted);
        }
        let after = take()?;
        let changed: Vec<RepoPath> = if before.tree == after.tree {
            Vec::new()
        } else {
            repo.diff_trees(before.tree, after.tree)?
                .into_iter()
                .map(|change| change.path)
                .collect()
        };
        // Only the first run may be repeated: a command that moves a lock file each time is unstable.
        let again = !changed.is_empty()
            && before.tree == first.tree
            && changed.iter().all(|path| generated.admits(path));
        if again {
            ctx.watch.ended(&ended.kept().bytes, false);
            ctx.watch.note(&format!(
                "generated files moved ({}); running once more",
                observe::list_paths(&changed)
            ));
            before = after;
            continue;
        }
        let mut notes = Vec::new();
        let counted = count(&plan.argv, &ended, &reports, &stamps, &mut notes);
        let mut redacted = ended.redacted.is_some();
        let kept = ended.kept().clone();
        let failed_tests = counted
            .iter()
            .flat_map(|counted| &counted.failed_tests)
            .map(|name| without_secrets(secrets.as_ref(), name, &mut redacted))
            .collect();
        let result = CheckResult {
            check: plan.check.clone(),
            argv: plan.argv.clone(),
            cwd: plan.cwd.clone(),
            exit_code: match ended.exit {
                Exit::Code(code) => Some(code),
                Exit::Signal(_) => None,
            },
            signal: match ended.exit {
                Exit::Code(_) => None,
                Exit::Signal(signal) => Some(signal),
            },
            timed_out: ended.timed_out,
            duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX >> 11),
            runner: counted.as_ref().map(|counted| counted.runner.to_owned()),
            counts: counted.as_ref().map(|counted| counted.counts),
            failed_tests,
            expectation: plan.expectation,
            subject: subject(repo, &first, &before, &after, &changed, &leave_out)?,
            log: (!kept.bytes.is_empty()).then(|| LogRef {
                sha256: Digest::of(&kept.bytes),
                size: kept.bytes.len() as u64,
            }),
            environment: environment(ctx, repo, ended.program.as_deref())?,
        };
        if ended.leftovers {
            notes.push(Note::LeftoverProcesses);
        }
        if kept.dropped > 0 {
            notes.push(Note::Truncated);
        }
        if redacted {
            notes.push(Note::Redacted);
        }
        notes.sort();
        notes.dedup();
        repo.keep_snapshot(&after);
        let payload = if result.counts.is_some() {
            Payload::TestResult(result)
        } else {
            Payload::CommandResult(result)
        };
        let evidence = Evidence {
            tasks: plan.tasks.clone(),
            gates: plan.gates.clone(),
            acceptance: plan.acceptance.clone(),
            notes,
            ..Evidence::of(payload)
        };
        ctx.watch.ended(&kept.bytes, !is_met(&evidence));
        return Ok(Measured {
            evidence,
            log: kept.bytes,
        });
    }
}

fn subject(
    repo: &Repository,
    first: &Snapshot,
    before: &Snapshot,
    after: &Snapshot,
    changed: &[RepoPath],
    reports: &[RepoPath],
) -> Result<Subject, Error> {
    let cut = |paths: Vec<RepoPath>| paths.into_iter().take(NAMES).collect::<Vec<_>>();
    Ok(Subject {
        kind: SubjectKind::Worktree,
        tree: after.tree,
        before: (first.tree != before.tree).then_some(first.tree),
        head: repo.head()?.commit,
        stable: before.tree == after.tree,
        changed: cut(changed.to_vec()),
        touched: cut(repo.touched_between(before, after, changed)),
        hidden: hidden(after, reports),
        bystanders: cut(after
            .bystanders
            .iter()
            .map(|(path, _)| path.clone())
            .collect()),
    })
}

/// All that lay there and is not in the tree without being this run's or a bystander: files
/// hidden by something outside the tree, droppings, embedded repositories, report files.
fn hidden(after: &Snapshot, reports: &[RepoPath]) -> Hidden {
    let others = after.droppings.iter().chain(reports);
    Hidden {
        count: after.hidden_count + others.clone().count() as u64,
        names: (after.hidden_names.iter())
            .chain(others)
            .take(NAMES)
            .cloned()
            .collect(),
    }
}

/// The child's environment: nothing of a calling hook, nothing that ties it to this repository.
fn child_environment(ctx: &Context<'_>) -> Vec<(std::ffi::OsString, std::ffi::OsString)> {
    let exec_path = ctx
        .environment
        .iter()
        .find(|(name, _)| name == "GIT_EXEC_PATH")
        .map(|(_, value)| value.clone());
    ctx.environment
        .iter()
        .filter(|(name, _)| !crate::git::is_local_env_var(name))
        .map(|(name, value)| match &exec_path {
            Some(exec_path) if name == "PATH" => (
                name.clone(),
                crate::git::without_exec_path(value, exec_path),
            ),
            _ => (name.clone(), value.clone()),
        })
        .collect()
}

/// `rapid.timeout`. What cannot be read is refused: a limit that silently is another one would
/// surprise in the middle of a long run.
fn configured_timeout(repo: &Repository) -> Result<Duration, Error> {
    let Some(value) = repo.config(TIMEOUT) else {
        return Ok(Duration::from_secs(DEFAULT_TIMEOUT));
    };
    let text = value.lossy();
    duration::parse(text.trim())
        .map_err(|why| bad_config(TIMEOUT, &text, &why.to_string(), "15m").into())
}

/// `rapid.logLimit`, in bytes, as git reads numbers.
fn configured_log_limit(repo: &Repository) -> Result<usize, Error> {
    let Some(value) = repo.config(LOG_LIMIT) else {
        return Ok(DEFAULT_LOG_LIMIT);
    };
    let text = value.lossy();
    crate::git::parse_number(text.trim().as_bytes())
        .and_then(|number| usize::try_from(number).ok())
        .filter(|limit| (LEAST_LOG_LIMIT..=MOST_LOG_LIMIT).contains(limit))
        .ok_or_else(|| {
            let why = format!("from {LEAST_LOG_LIMIT} bytes to {MOST_LOG_LIMIT} are allowed");
            bad_config(LOG_LIMIT, &text, &why, "4m").into()
        })
}

/// `rapid.redact`, true when it is not set.
fn configured_redact(repo: &Repository) -> Result<bool, Error> {
    let Some(value) = repo.config(REDACT) else {
        return Ok(true);
    };
    repo.config_bool(REDACT).ok_or_else(|| {
        let why = "true or false are allowed";
        bad_config(REDACT, &value.lossy(), why, "true").into()
    })
}

/// A test's name as it may be recorded.
fn without_secrets(secrets: Option<&Secrets>, name: &str, redacted: &mut bool) -> String {
    let Some((bytes, true)) = secrets.map(|secrets| secrets.take_out(name.as_bytes())) else {
        return name.to_owned();
    };
    *redacted = true;
    String::from_utf8_lossy(&bytes).into_owned()
}

fn bad_config(key: &str, value: &str, why: &str, example: &str) -> Refusal {
    refuse(Code::InputInvalid, format!("{key} is {value:?}: {why}"))
        .detail("key", key)
        .detail("value", value)
        .hint("set another", &["git", "config", key, example])
        .hint("take it away", &["git", "config", "--unset", key])
}

/// A report file: where it lies, and its path in the repository when it lies inside.
struct ReportFile {
    file: PathBuf,
    inside: Option<RepoPath>,
}

fn report_files(root: &Path, cwd: &Path, reports: &[ByteText]) -> Vec<ReportFile> {
    reports
        .iter()
        .map(|report| {
            let file = cwd.join(std::ffi::OsStr::from_bytes(&report.0));
            let inside = file
                .strip_prefix(root)
                .ok()
                .and_then(|path| RepoPath::new(path.as_os_str().as_bytes()).ok());
            ReportFile { file, inside }
        })
        .collect()
}

/// What tells whether a file was written: a new file, another inode, time or size.
#[derive(PartialEq, Eq)]
struct Stamp {
    inode: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    size: u64,
}

impl Stamp {
    fn of(file: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let meta = std::fs::metadata(file).ok()?;
        Some(Self {
            inode: meta.ino(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
            size: meta.len(),
        })
    }
}

/// Counts from the report files when some were asked for, else from the output.
fn count(
    argv: &[ByteText],
    ended: &Ended,
    reports: &[ReportFile],
    stamps: &[Option<Stamp>],
    notes: &mut Vec<Note>,
) -> Option<Counted> {
    let counted = if reports.is_empty() {
        check::count_output(argv, &ended.log.bytes)
    } else {
        count_reports(reports, stamps, notes)
    }?;
    if check::contradicts(&ended.exit, &counted) {
        notes.push(Note::Contradictory);
    }
    if !counted.complete {
        notes.push(Note::Incomplete);
    }
    if counted.counts.flaky.is_some_and(|flaky| flaky > 0) {
        notes.push(Note::Flaky);
    }
    Some(counted)
}

fn count_reports(
    reports: &[ReportFile],
    stamps: &[Option<Stamp>],
    notes: &mut Vec<Note>,
) -> Option<Counted> {
    let mut total: Option<Counted> = None;
    for (report, before) in reports.iter().zip(stamps) {
        if Stamp::of(&report.file) == *before {
            notes.push(Note::StaleReport);
            continue;
        }
        // What was asked for as a report and is none must not count for anything.
        let counted = std::fs::read(&report.file)
            .ok()
            .and_then(|bytes| check::count_report(&bytes).ok());
        let Some(counted) = counted else {
            notes.push(Note::StaleReport);
            continue;
        };
        total = Some(match total {
            None => counted,
            Some(sum) => Counted {
                runner: counted.runner,
                counts: add(sum.counts, counted.counts),
                failed_tests: sum
                    .failed_tests
                    .into_iter()
                    .chain(counted.failed_tests)
                    .take(NAMES)
                    .collect(),
                complete: sum.complete && counted.complete,
            },
        });
    }
    total
}

fn add(one: Counts, other: Counts) -> Counts {
    Counts {
        passed: one.passed + other.passed,
        failed: one.failed + other.failed,
        errors: one.errors + other.errors,
        skipped: one.skipped + other.skipped,
        flaky: match (one.flaky, other.flaky) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or(0) + other.unwrap_or(0)),
        },
    }
}

/// Whether a result did what it should (whatever it counts for).
pub(super) fn is_met(evidence: &Evidence) -> bool {
    evidence
        .check()
        .is_some_and(|result| crate::domain::evaluate::is_met(evidence, result))
}

/// A good earlier result of the same thing on the same tree in the same environment: cited
/// instead of repeated.
pub(super) fn citable<'r>(
    ctx: &Context<'_>,
    repo: &Repository,
    run: &'r Run,
    tree: TreeId,
    plan: &Plan,
) -> Result<Option<&'r crate::domain::run::EvidenceRecord>, Error> {
    let same = |result: &CheckResult| {
        result.argv == plan.argv
            && result.cwd == plan.cwd
            && result.expectation == plan.expectation
            && result.check == plan.check
            && result.subject.tree == tree
    };
    // The latest word on this tree decides: a red after a green is not passed over.
    let Some(record) = run
        .evidence
        .iter()
        .rev()
        .find(|record| record.body.check().is_some_and(same))
    else {
        return Ok(None);
    };
    let result = record.body.check().expect("found by its check result");
    let here = environment(ctx, repo, None)?;
    let same_place = Environment {
        program: None,
        ..result.environment.clone()
    } == here;
    let good = record.producer.is_rapid("check")
        && result.subject.stable
        && is_met(&record.body)
        && !record
            .body
            .notes
            .iter()
            .any(|note| matches!(note, Note::Incomplete | Note::StaleReport));
    Ok((good && same_place).then_some(record))
}

/// Puts the log into the ledger; the evidence that names it comes after.
pub(super) fn keep_log(repo: &Repository, run: &Run, measured: &Measured) -> Result<(), Error> {
    if !measured.log.is_empty() {
        Ledger::new(repo).write_log(&run.id, &measured.log)?;
    }
    Ok(())
}

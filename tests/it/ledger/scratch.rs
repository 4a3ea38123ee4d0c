//! A scratch repository with a deterministic environment, and small records to put in it.

use git_rapid::{
    domain::{
        contract::{Base, Contract, Gate, PolicyRef, Scope, SpecRef, Task},
        digest::Digest,
        event::{Event, EventCode, EventSubject},
        evidence::{ArtifactLabel, ArtifactRef, Evidence, Operation, Payload},
        gate::GateKind,
        id::{RunId, TaskId, WriterId},
        producer::Producer,
        record::Body,
        spec_record::{SpecFormat, SpecRevision},
        vocabulary::{Classification, Mode, Phase, Risk, Workspace},
    },
    git::{OpenOptions, Repository},
    ledger::{Appended, Draft, JournalNote, Ledger, Stream, StreamName},
};
use std::{
    convert::Infallible,
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// The bytes beside every contract.
pub const SPEC: &[u8] = b"{\"title\":\"a spec\"}";
/// The policy beside every contract.
pub const POLICY: &[u8] = b"{\"schema_version\":1}";

/// A repository in a folder that goes away.
pub struct Scratch {
    _root: tempfile::TempDir,
    pub dir: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl Scratch {
    /// SHA-1 ids, refs in files.
    pub fn new() -> Self {
        Self::of(&[])
    }

    /// Made with further options of `git init`.
    pub fn of(options: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().canonicalize().unwrap().join("work");
        std::fs::create_dir(&dir).unwrap();
        let variable = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
        let environment = vec![
            variable("PATH", &std::env::var("PATH").unwrap()),
            variable("HOME", root.path().to_str().unwrap()),
            variable("GIT_CONFIG_NOSYSTEM", "1"),
            variable("GIT_CONFIG_GLOBAL", "/dev/null"),
            variable("GIT_AUTHOR_NAME", "A Person"),
            variable("GIT_AUTHOR_EMAIL", "person@example.org"),
            variable("GIT_COMMITTER_NAME", "A Person"),
            variable("GIT_COMMITTER_EMAIL", "person@example.org"),
            variable("GIT_AUTHOR_DATE", "1893456000 +0000"),
            variable("GIT_COMMITTER_DATE", "1893456000 +0000"),
        ];
        let scratch = Self {
            _root: root,
            dir,
            environment,
        };
        let mut args = vec!["init", "--quiet", "--initial-branch=main"];
        args.extend(options);
        scratch.git(&args);
        scratch.git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
        scratch
    }

    /// A handle of its own.
    pub fn repo(&self) -> Repository {
        self.repo_at(&self.dir)
    }

    /// A handle on another working tree.
    pub fn repo_at(&self, dir: &Path) -> Repository {
        Repository::open(&OpenOptions {
            start: dir.to_owned(),
            environment: self.environment.clone(),
        })
        .unwrap()
    }

    /// Runs git and gives what it printed, without the last newline.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let output = self.git_with(args, &[], b"");
        String::from_utf8(output).unwrap().trim_end().to_owned()
    }

    /// Runs git with more environment and something to read; gives the bytes it printed.
    #[track_caller]
    pub fn git_with(&self, args: &[&str], more: &[(&str, &str)], stdin: &[u8]) -> Vec<u8> {
        let output = self.run(args, more, stdin);
        assert!(
            output.status.success(),
            "git {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    fn run(&self, args: &[&str], more: &[(&str, &str)], stdin: &[u8]) -> Output {
        let mut child = Command::new("git")
            .args(args)
            .current_dir(&self.dir)
            .env_clear()
            .envs(self.environment.clone())
            .envs(more.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(stdin).unwrap();
        child.wait_with_output().unwrap()
    }

    /// Where a ref stands, as git sees it.
    #[track_caller]
    pub fn tip(&self, name: &str) -> String {
        self.git(&["rev-parse", "--verify", name])
    }

    /// Git's own word on the whole object store.
    #[track_caller]
    pub fn git_fsck(&self) {
        let output = self.run(&["fsck", "--strict", "--no-dangling"], &[], b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success() && said.is_empty(),
            "git fsck: {said}"
        );
    }
}

/// The run that most tests are about.
pub fn run_id() -> RunId {
    run_named("a-run-r1-run-001")
}

pub fn run_named(name: &str) -> RunId {
    name.parse().unwrap()
}

/// That run's stream.
pub fn run_stream() -> StreamName {
    StreamName::Run(run_id())
}

pub fn writer(letter: char) -> WriterId {
    letter.to_string().repeat(16).parse().unwrap()
}

/// A small contract: one task, one post gate, everything else empty.
pub fn contract(repo: &Repository) -> Contract {
    Contract {
        mode: Mode::Direct,
        class: Classification::Direct,
        risk: Risk::Low,
        signals: Vec::new(),
        reasons: vec!["asked".into()],
        workspace: Workspace::Current,
        spec: SpecRef {
            stream: Digest::of(b"spec stream"),
            record: Digest::of(b"spec record"),
            id: "a-run".parse().unwrap(),
            revision: 1,
        },
        acceptance_digest: Digest::of(SPEC),
        base: Base {
            commit: repo.head().unwrap().commit,
            tree: repo.empty_tree(),
            start_tree: repo.empty_tree(),
        },
        bystanders: Vec::new(),
        target: Some("main".into()),
        scope: Scope::default(),
        tasks: vec![Task {
            id: TaskId::at(1),
            description: "do it".into(),
            paths: Vec::new(),
            checks: Vec::new(),
            after: Vec::new(),
            minutes: None,
            attempts: None,
        }],
        acceptance: Vec::new(),
        gates: vec![Gate {
            id: GateKind::ImplementationTests.gate_id(),
            kind: GateKind::ImplementationTests,
            phase: Phase::Post,
            human: false,
            waivable: true,
        }],
        capabilities: Vec::new(),
        checks: Vec::new(),
        policy: PolicyRef {
            source: "built-in".into(),
            digest: Digest::of(POLICY),
        },
        harness: None,
        author: None,
        predecessor: None,
        ruleset_version: 3,
    }
}

/// A draft of some records and nothing else.
pub fn draft(subject: &str, records: Vec<(Producer, Body)>) -> Draft {
    Draft {
        subject: subject.into(),
        records,
        artifacts: Vec::new(),
        subject_tree: None,
        journal: None,
    }
}

/// The draft that begins a run.
pub fn opening(repo: &Repository) -> Draft {
    Draft {
        artifacts: vec![SPEC.to_vec(), POLICY.to_vec()],
        ..draft(
            "open a run",
            vec![(Producer::rapid("start"), contract(repo).into())],
        )
    }
}

/// A note that something ran: neutral evidence.
pub fn note(text: &str) -> (Producer, Body) {
    let evidence = Evidence::of(Payload::ToolInvocation(Operation {
        operation: text.into(),
        target: None,
        outcome: "success".into(),
    }));
    (Producer::External("test".into()), evidence.into())
}

/// An attached file.
pub fn attachment(bytes: &[u8]) -> Draft {
    let mut evidence = Evidence::of(Payload::Artifact(ArtifactLabel {
        label: "a file".into(),
    }));
    evidence.artifacts.push(ArtifactRef {
        sha256: Digest::of(bytes),
        size: bytes.len() as u64,
        name: "file.txt".into(),
    });
    Draft {
        artifacts: vec![bytes.to_vec()],
        ..draft(
            "attach file.txt",
            vec![(Producer::rapid("attach"), evidence.into())],
        )
    }
}

/// A move of the run.
pub fn run_move(from: &str, to: &str, code: EventCode) -> (Producer, Body) {
    let event = Event {
        subject: EventSubject::Run,
        from: Some(from.into()),
        to: Some(to.into()),
        code,
        reason: Some("because".into()),
    };
    (Producer::rapid("run"), event.into())
}

/// A revision of a spec, with its bytes.
pub fn revision(bytes: &[u8]) -> Draft {
    let revision = SpecRevision {
        id: "a-run".parse().unwrap(),
        revision: 1,
        acceptance_digest: Digest::of(bytes),
        size: bytes.len() as u64,
        format: SpecFormat::Json,
        title: "a spec".into(),
        mode: Mode::Direct,
    };
    Draft {
        artifacts: vec![bytes.to_vec()],
        ..draft(
            "write a spec",
            vec![(Producer::rapid("spec"), revision.into())],
        )
    }
}

/// Appends a draft whatever the stream holds.
#[track_caller]
pub fn put(ledger: &Ledger<'_>, name: &StreamName, draft: Draft) -> Appended {
    let append = |_: Option<&Stream>| Ok::<_, Infallible>(Some(draft.clone()));
    ledger.append(name, append).unwrap().unwrap()
}

/// Opens the usual run, with a note in the journal.
#[track_caller]
pub fn open(repo: &Repository, writer: char) -> Appended {
    open_as(repo, run_id(), writer)
}

#[track_caller]
pub fn open_as(repo: &Repository, id: RunId, letter: char) -> Appended {
    let draft = Draft {
        journal: Some(JournalNote::Opened {
            writer: writer(letter),
        }),
        ..opening(repo)
    };
    put(&Ledger::new(repo), &StreamName::Run(id), draft)
}

/// Ends a run, with a seal in the journal.
#[track_caller]
pub fn cancel(repo: &Repository, id: RunId, letter: char) -> Appended {
    let draft = Draft {
        journal: Some(JournalNote::Sealed {
            writer: writer(letter),
        }),
        ..draft(
            "abort",
            vec![run_move("prepared", "cancelled", EventCode::Aborted)],
        )
    };
    put(&Ledger::new(repo), &StreamName::Run(id), draft)
}

/// A run of four commits: contract, a note, a file, two notes.
#[track_caller]
pub fn story(repo: &Repository) {
    open(repo, 'a');
    let ledger = Ledger::new(repo);
    let name = run_stream();
    put(&ledger, &name, draft("note one", vec![note("one")]));
    put(&ledger, &name, attachment(b"a file\n"));
    put(
        &ledger,
        &name,
        draft("note two and three", vec![note("two"), note("three")]),
    );
}

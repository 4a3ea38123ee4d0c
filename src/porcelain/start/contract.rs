//! The contract, and the transaction that opens a run.

use crate::{
    domain::{
        bytes::ByteText,
        contract::{
            Base, Bystander, Contract, Criterion, NamedCheck, PolicyRef, Scope, SpecRef, Task,
        },
        digest::Digest,
        event::{Event, EventCode, EventSubject},
        evidence::{Evidence, Payload, WorkspaceSeen},
        gate::GateKind,
        id::{AcceptanceId, RunId, SpecId, TaskId},
        policy::{Decision, PolicyDocument},
        producer::Producer,
        record::Body,
        run::{Run, fold},
        spec::Spec,
        vocabulary::{GateStatus, RunStatus, Workspace},
    },
    git::Repository,
    ledger::{self, Draft, JournalNote, Ledger, StreamName},
    porcelain::{
        Context, Error,
        spec_store::StoredSpec,
        target::{Place, workspace_of},
    },
};

/// The next free ordinal, over refs, journals and fetched copies; one whose branch exists
/// already (a `start` that was killed) is passed over.
pub(in crate::porcelain) fn next_run_id(
    repo: &Repository,
    spec: &SpecId,
    revision: u32,
) -> Result<RunId, Error> {
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

/// What a contract is made of.
pub(in crate::porcelain) struct ContractParts<'a> {
    pub(in crate::porcelain) spec: &'a Spec,
    pub(in crate::porcelain) stored: &'a StoredSpec,
    pub(in crate::porcelain) decision: &'a Decision,
    pub(in crate::porcelain) base: Base,
    pub(in crate::porcelain) bystanders: &'a [Bystander],
    pub(in crate::porcelain) scope: Scope,
    pub(in crate::porcelain) checks: &'a [NamedCheck],
    pub(in crate::porcelain) policy: &'a PolicyDocument,
    pub(in crate::porcelain) predecessor: Option<Digest>,
}

pub(in crate::porcelain) fn contract_of(
    ctx: &Context<'_>,
    parts: ContractParts<'_>,
) -> Result<Contract, Error> {
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
pub(in crate::porcelain) fn target_branch(repo: &Repository) -> Result<Option<ByteText>, Error> {
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

/// The run that the next one on this branch follows: the last that ended on it, when it was
/// given up. What was tried before stays in sight of whoever judges what comes after.
pub(in crate::porcelain) fn given_up_here(repo: &Repository) -> Result<Option<Digest>, Error> {
    let ledger = Ledger::new(repo);
    let branch = repo.head()?.branch.map(ByteText);
    for sealed in ledger.seals()? {
        let Ok(run) = ledger.read_run(&sealed.run) else {
            continue;
        };
        let is_here = run.contract_digest == sealed.contract
            && workspace_of(&run).is_some_and(|seen| seen.branch == branch);
        if is_here {
            let given_up = matches!(sealed.status, RunStatus::Cancelled | RunStatus::Failed);
            return Ok(given_up.then_some(sealed.contract));
        }
    }
    Ok(None)
}

/// Opens the run: contract, workspace and journal in one transaction. `None` when another
/// process took the name first.
pub(in crate::porcelain) fn open_run(
    ctx: &Context<'_>,
    place: &Place<'_>,
    id: &RunId,
    contract: Contract,
    spec_bytes: &[u8],
    policy: &PolicyDocument,
) -> Result<Option<Run>, Error> {
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
    let appended = ledger.append(
        &StreamName::Run(id.clone()),
        |stream| -> Result<Option<Draft>, Error> {
            if stream.is_some() {
                return Ok(None);
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
    let Some(appended) = appended else {
        return Ok(None);
    };
    let run = fold(id.clone(), appended.records).map_err(|source| ledger::Error::NotARun {
        stream: StreamName::Run(id.clone()).ref_name(),
        source,
    })?;
    Ok(Some(run))
}

/// Where the work of `repo`'s worktree happens.
pub(in crate::porcelain) fn workspace_seen(repo: &Repository) -> Result<WorkspaceSeen, Error> {
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

//! `resolve`: a person settles events that contradict each other after a merge.

use super::{
    Context, Error, append, approve,
    error::refuse,
    judge,
    target::{self, Place, Target},
};
use crate::{
    conductor::NextAction,
    diagnostic::Code,
    domain::{digest::Digest, person, producer::Producer, resolution::Resolution, run::Run},
};

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The events, by a beginning of their digests.
    pub events: Vec<String>,
    /// Why.
    pub reason: Option<String>,
}

/// What a person is asked.
pub struct Prepared<'c> {
    /// The events in question, with what each wanted to move.
    pub conflicts: Vec<(Digest, String)>,
    /// The phrase to type.
    pub phrase: String,
    run: Run,
    place: Place<'c>,
}

/// Asks every layer of the person rule and finds the events.
pub fn prepare<'c>(ctx: &'c Context<'_>, request: &Request) -> Result<Prepared<'c>, Error> {
    let mut verb = vec!["git", "rapid", "resolve"];
    verb.extend(request.events.iter().map(String::as_str));
    approve::require_person(ctx, &verb)?;
    ctx.repo.committer()?;
    let Target { run, place } = target::target(ctx)?;
    let mut conflicts = Vec::new();
    for prefix in &request.events {
        let found: Vec<_> = run
            .state
            .conflicts
            .iter()
            .filter(|conflict| conflict.event.hex().starts_with(prefix.as_str()))
            .collect();
        match found.as_slice() {
            [one] => conflicts.push((one.event, one.subject.clone())),
            [] => {
                let known: Vec<String> = run
                    .state
                    .conflicts
                    .iter()
                    .map(|conflict| conflict.event.short(8))
                    .collect();
                return Err(refuse(
                    Code::EvidenceNotFound,
                    if known.is_empty() {
                        format!("no conflicting event {prefix}: no events contradict each other")
                    } else {
                        format!(
                            "no conflicting event {prefix}; there are: {}",
                            known.join(", ")
                        )
                    },
                )
                .detail("event", prefix.as_str())
                .detail("known", known)
                .into());
            }
            several => {
                let known: Vec<String> = several
                    .iter()
                    .map(|conflict| conflict.event.short(16))
                    .collect();
                return Err(refuse(
                    Code::EvidenceNotFound,
                    format!("{prefix} begins several events: {}", known.join(", ")),
                )
                .detail("known", known)
                .into());
            }
        }
    }
    conflicts.sort();
    conflicts.dedup();
    let phrase = person::phrase(person::Phrase::Resolve, run.id.as_str(), ctx.lang.as_str());
    Ok(Prepared {
        conflicts,
        phrase,
        run,
        place,
    })
}

/// Checks the phrase and settles the events.
pub fn record(
    ctx: &Context<'_>,
    request: &Request,
    prepared: &Prepared<'_>,
    typed: &str,
) -> Result<NextAction, Error> {
    if !person::phrase_matches(typed, person::Phrase::Resolve, prepared.run.id.as_str()) {
        return Err(refuse(
            Code::WrongPhrase,
            format!("nothing was recorded: the phrase is {:?}", prepared.phrase),
        )
        .into());
    }
    let resolution = Resolution {
        events: prepared.conflicts.iter().map(|(event, _)| *event).collect(),
        reason: request.reason.clone(),
    };
    let (run, _) = append::to_run(&prepared.place, &prepared.run.id, |_| {
        Ok(Some(append::draft(
            "conflict resolved",
            vec![(Producer::User, resolution.clone().into())],
        )))
    })?;
    judge::next_of(ctx, &prepared.place, &run)
}

//! The spec a run starts from: a sentence, a document or a stored one.

use super::{Outcome, Request, Source};
use crate::{
    conductor::Playbook,
    diagnostic::Code,
    domain::{
        policy::{self, ModeQuestion},
        spec::{ChangeTraits, NotReady, Spec, from_sentence},
        vocabulary::{Mode, Risk, SpecState},
    },
    porcelain::{
        Context, Error,
        error::refuse,
        spec_store::{self, StoredSpec},
    },
};

/// The spec, its exact bytes, and the row that chose the mode when none was named.
pub(in crate::porcelain) fn spec_of(
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

pub(in crate::porcelain) fn resolved_mode(
    request: &Request,
) -> Result<(Mode, Option<&'static str>), Error> {
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

pub(in crate::porcelain) fn same_mode(request: &Request, spec: &Spec) -> Result<(), Error> {
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
pub(in crate::porcelain) fn draft_only(
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

pub(in crate::porcelain) fn refuse_not_ready(stored: &StoredSpec) -> Result<(), Error> {
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

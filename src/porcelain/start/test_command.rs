//! The checks to pin, and what it means when there are none.

use super::Request;
use crate::{
    diagnostic::Code,
    domain::{
        bytes::ByteText,
        contract::NamedCheck,
        path::RepoPath,
        policy::{self, NotEligible},
        spec::{Spec, TestCommand, command_words},
        vocabulary::Tier,
    },
    git::Repository,
    porcelain::{Context, Error, error::refuse},
};

/// The checks to pin: option, spec, config, else what the project's files tell.
pub(in crate::porcelain) fn pinned_checks(
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
pub(in crate::porcelain) fn project_check(
    repo: &Repository,
) -> Result<Option<(Vec<ByteText>, String)>, Error> {
    if let Some(text) = repo.config("rapid.testCommand") {
        return Ok(Some((words_of(&text.lossy())?, "config".to_owned())));
    }
    // A file that was never committed says nothing of the project; only where nothing is
    // committed yet the files on disk have to do.
    let root = repo.work_dir()?.to_owned();
    let base = repo
        .head()?
        .commit
        .map(|commit| repo.tree_of(commit))
        .transpose()?;
    let base = base.filter(|tree| *tree != repo.empty_tree());
    let mut read = |name: &str| match base {
        Some(tree) => {
            let entry = repo.entry_at(tree, name.as_bytes()).ok()??;
            repo.read_blob(entry.oid).ok()
        }
        None => std::fs::read(root.join(name)).ok(),
    };
    Ok(policy::detect_test_command(&mut read).map(|found| (found.argv, found.source.to_owned())))
}

/// The words of `rapid.testCommand`.
fn words_of(text: &str) -> Result<Vec<ByteText>, Error> {
    command_words(text).map_err(|why| {
        refuse(
            Code::InputInvalid,
            format!("rapid.testCommand is {text:?}: {why}"),
        )
        .detail("command", text)
        .hint(
            "give it to a shell yourself",
            &[
                "git",
                "config",
                "rapid.testCommand",
                &format!("sh -c {}", shell_words::quote(text)),
            ],
        )
        .into()
    })
}

pub(in crate::porcelain) fn not_eligible(
    spec: &Spec,
    checks: &[NamedCheck],
    why: &NotEligible,
) -> Error {
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

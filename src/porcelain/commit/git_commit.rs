//! `git commit` itself: what is staged for it, and the words it is given.

use super::{Request, trailers};
use crate::{
    diagnostic::Code,
    domain::{oid::TreeId, path::RepoPath, run::Run},
    git::GitProcess,
    porcelain::{Error, door, error::refuse, observe, target::Place},
};
use std::os::unix::ffi::OsStrExt as _;

/// Puts into the user's index what differs from the tree that was verified: the private
/// index of `-a`, made real.
pub(in crate::porcelain) fn stage(place: &Place<'_>, tree: TreeId) -> Result<(), Error> {
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
pub(in crate::porcelain) fn git_commit(
    place: &Place<'_>,
    run: &Run,
    request: &Request,
    verified: &str,
) -> Result<i32, Error> {
    let mut words = trailers::config_words();
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
    words.extend(trailers::trailer_words(run, verified));
    words.extend(request.arguments.iter().cloned());
    let mut git = GitProcess::new(place, &words);
    git.keep_git_env = !place.is_elsewhere();
    if request.wip {
        git.set.push((door::WIP.into(), "1".into()));
    }
    Ok(git.attached()?)
}

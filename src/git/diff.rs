//! Trees against trees: paths without rename detection, lines, text.
//!
//! Trees and blobs are read from wherever this handle finds objects, so snapshots can
//! be compared like commits. Only content counts: `.gitattributes` and diff drivers are
//! not asked, for the answer must be the same in every clone.

use super::{EntryKind, Error, Repository, TreeEntry};
use crate::domain::{
    evidence::PathChange,
    oid::{Oid, TreeId},
    path::RepoPath,
    vocabulary::Change,
};
use gix::diff::blob::{Algorithm, Diff, Hunk, InternedInput, diff_with_slider_heuristics};
use std::collections::BTreeMap;

/// Lines of context around a change.
const CONTEXT: u32 = 3;

/// So far into a file git looks for a NUL byte that makes it binary.
const BINARY_WITHIN: usize = 8_000;

/// Lines added and removed; `None` for binary content, and for files of a snapshot that
/// were too large to be kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCounts {
    /// Lines only in the newer one.
    pub added: Option<u64>,
    /// Lines only in the older one.
    pub deleted: Option<u64>,
}

/// A diff for reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffText {
    /// The path.
    pub path: RepoPath,
    /// Unified diff text, lossy UTF-8, cut at the caller's bound.
    pub text: String,
}

impl Repository {
    /// Paths that differ, sorted by path, as `git diff-tree -r --no-renames`.
    pub fn diff_trees(&self, old: TreeId, new: TreeId) -> Result<Vec<PathChange>, Error> {
        let mut changes = Vec::new();
        self.compare(Some(old), Some(new), &mut Vec::new(), &mut changes)?;
        changes.sort();
        Ok(changes)
    }

    /// Lines of one path, as `git diff --numstat`: a symlink counts as its text, a
    /// submodule as the line that names its commit.
    pub fn count_lines(
        &self,
        old: TreeId,
        new: TreeId,
        path: &RepoPath,
    ) -> Result<LineCounts, Error> {
        let (old, new) = self.sides(old, new, path)?;
        let (Some(old), Some(new)) = (old.text(), new.text()) else {
            return Ok(LineCounts {
                added: None,
                deleted: None,
            });
        };
        let diff = Diff::compute(Algorithm::Myers, &InternedInput::new(old, new));
        Ok(LineCounts {
            added: Some(diff.count_additions().into()),
            deleted: Some(diff.count_removals().into()),
        })
    }

    /// A unified diff of one path with three lines of context, cut after `limit` bytes.
    pub fn diff_text(
        &self,
        old: TreeId,
        new: TreeId,
        path: &RepoPath,
        limit: usize,
    ) -> Result<DiffText, Error> {
        let (old, new) = self.sides(old, new, path)?;
        let mut text = heading(path, &old, &new);
        if !old.same_content(&new) {
            match (old.text(), new.text()) {
                (Some(before), Some(after)) => {
                    text.push_str(&format!("--- {}\n", old.label("a/", path)));
                    text.push_str(&format!("+++ {}\n", new.label("b/", path)));
                    hunks(before, after, limit, &mut text);
                }
                _ => text.push_str("Binary files differ\n"),
            }
        }
        let mut end = limit.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        Ok(DiffText {
            path: path.clone(),
            text,
        })
    }

    fn compare(
        &self,
        old: Option<TreeId>,
        new: Option<TreeId>,
        prefix: &mut Vec<u8>,
        changes: &mut Vec<PathChange>,
    ) -> Result<(), Error> {
        if old == new {
            return Ok(());
        }
        let read = |tree: Option<TreeId>| tree.map_or(Ok(Vec::new()), |tree| self.read_tree(tree));
        let (old, new) = (read(old)?, read(new)?);
        // By name, not by git's order of trees: a file and a folder of one name meet.
        let mut names: BTreeMap<&[u8], [Option<&TreeEntry>; 2]> = BTreeMap::new();
        for (side, entries) in [&old, &new].into_iter().enumerate() {
            for entry in entries {
                names.entry(&entry.name).or_default()[side] = Some(entry);
            }
        }
        for (name, [old, new]) in names {
            if old.map(|entry| (entry.kind, entry.oid)) == new.map(|entry| (entry.kind, entry.oid))
            {
                continue;
            }
            let before = prefix.len();
            prefix.extend_from_slice(name);
            let leaf = |entry: &&TreeEntry| entry.kind != EntryKind::Tree;
            if let Some(change) = change(old.filter(leaf), new.filter(leaf)) {
                changes.push(PathChange {
                    path: super::index::repo_path(prefix)?,
                    change,
                });
            }
            let below = |entry: Option<&TreeEntry>| {
                entry
                    .filter(|entry| entry.kind == EntryKind::Tree)
                    .map(|entry| TreeId(entry.oid))
            };
            prefix.push(b'/');
            self.compare(below(old), below(new), prefix, changes)?;
            prefix.truncate(before);
        }
        Ok(())
    }

    fn sides(&self, old: TreeId, new: TreeId, path: &RepoPath) -> Result<(Side, Side), Error> {
        Ok((self.side(old, path)?, self.side(new, path)?))
    }

    fn side(&self, tree: TreeId, path: &RepoPath) -> Result<Side, Error> {
        let entry = self
            .entry_at(tree, path.as_bytes())?
            .filter(|entry| entry.kind != EntryKind::Tree);
        let content = match entry.as_ref().map(|entry| (entry.kind, entry.oid)) {
            None => Some(Vec::new()),
            Some((EntryKind::Commit, oid)) => {
                Some(format!("Subproject commit {}\n", oid.hex()).into_bytes())
            }
            Some((_, oid)) if self.unkept.has(oid) && !self.is_stored(oid) => None,
            Some((_, oid)) => Some(self.read_blob(oid)?),
        };
        Ok(Side { entry, content })
    }
}

/// What is at a path of one tree.
struct Side {
    entry: Option<TreeEntry>,
    /// Empty when nothing is there; `None` when it is too large to be at hand.
    content: Option<Vec<u8>>,
}

impl Side {
    /// The content, unless it is binary.
    fn text(&self) -> Option<&[u8]> {
        self.content
            .as_deref()
            .filter(|content| !content.iter().take(BINARY_WITHIN).any(|byte| *byte == 0))
    }

    fn oid(&self) -> Option<Oid> {
        self.entry.as_ref().map(|entry| entry.oid)
    }

    fn same_content(&self, other: &Side) -> bool {
        self.oid() == other.oid()
    }

    fn label(&self, prefix: &str, path: &RepoPath) -> String {
        match self.entry {
            None => "/dev/null".to_owned(),
            Some(_) => labelled(prefix, path),
        }
    }
}

/// A path as git writes it in a diff: the prefix goes inside the quotes.
fn labelled(prefix: &str, path: &RepoPath) -> String {
    let quoted = path.quoted();
    match quoted.strip_prefix('"') {
        Some(rest) => format!("\"{prefix}{rest}"),
        None => format!("{prefix}{quoted}"),
    }
}

/// How a path differs; `None` when it is on neither side or the same on both.
fn change(old: Option<&TreeEntry>, new: Option<&TreeEntry>) -> Option<Change> {
    use EntryKind::{Executable, File};
    match (old, new) {
        (None, None) => None,
        (None, Some(_)) => Some(Change::Added),
        (Some(_), None) => Some(Change::Deleted),
        (Some(old), Some(new)) if old.kind == new.kind => {
            (old.oid != new.oid).then_some(Change::Modified)
        }
        (Some(old), Some(new)) => Some(match (old.kind, new.kind) {
            (File, Executable) | (Executable, File) if old.oid == new.oid => Change::Mode,
            (File, Executable) | (Executable, File) => Change::Modified,
            _ => Change::Type,
        }),
    }
}

fn mode(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "100644",
        EntryKind::Executable => "100755",
        EntryKind::Symlink => "120000",
        EntryKind::Tree => "040000",
        EntryKind::Commit => "160000",
    }
}

fn heading(path: &RepoPath, old: &Side, new: &Side) -> String {
    let mut text = format!(
        "diff --git {} {}\n",
        labelled("a/", path),
        labelled("b/", path)
    );
    let modes = [old, new].map(|side| side.entry.as_ref().map(|entry| mode(entry.kind)));
    text.push_str(&match modes {
        [None, Some(new)] => format!("new file mode {new}\n"),
        [Some(old), None] => format!("deleted file mode {old}\n"),
        [Some(old), Some(new)] if old != new => format!("old mode {old}\nnew mode {new}\n"),
        _ => String::new(),
    });
    text
}

/// Appends hunks until `limit` is passed.
fn hunks(before: &[u8], after: &[u8], limit: usize, text: &mut String) {
    let input = InternedInput::new(before, after);
    let diff = diff_with_slider_heuristics(Algorithm::Myers, &input);
    let old: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let new: Vec<&[u8]> = after.split_inclusive(|byte| *byte == b'\n').collect();
    let mut changes = diff.hunks().peekable();
    while let Some(first) = changes.next() {
        if text.len() > limit {
            return;
        }
        let mut together = vec![first];
        while let Some(last) = together.last()
            && let Some(next) =
                changes.next_if(|next| next.before.start - last.before.end <= 2 * CONTEXT)
        {
            together.push(next);
        }
        hunk(&old, &new, &together, text);
    }
}

fn hunk(old: &[&[u8]], new: &[&[u8]], changes: &[Hunk], text: &mut String) {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return;
    };
    let lead = CONTEXT.min(first.before.start);
    let tail = CONTEXT.min(old.len() as u32 - last.before.end);
    let range = |start: u32, end: u32| {
        let (start, count) = (start - lead, end + tail - (start - lead));
        match count {
            0 => format!("{start},0"),
            1 => format!("{}", start + 1),
            _ => format!("{},{count}", start + 1),
        }
    };
    text.push_str(&format!(
        "@@ -{} +{} @@\n",
        range(first.before.start, last.before.end),
        range(first.after.start, last.after.end)
    ));
    let mut at = first.before.start - lead;
    for change in changes {
        lines(' ', old, at, change.before.start, text);
        lines('-', old, change.before.start, change.before.end, text);
        lines('+', new, change.after.start, change.after.end, text);
        at = change.before.end;
    }
    lines(' ', old, at, last.before.end + tail, text);
}

fn lines(sign: char, of: &[&[u8]], from: u32, to: u32, text: &mut String) {
    for line in &of[from as usize..to as usize] {
        text.push(sign);
        text.push_str(&String::from_utf8_lossy(line));
        if !line.ends_with(b"\n") {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

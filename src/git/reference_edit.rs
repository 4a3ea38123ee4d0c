//! Moving refs: all or none, each only from where it was seen, each with a reflog entry.
//!
//! gix applies an edit of several refs one by one and can stop half way, so it gets
//! single edits only; several, and all of reftable, are one transaction of the program.

use super::{
    Error, Expected, GitProcess, RefEdit, Repository, lock, lock_owner, object::to_gix,
    process::GitOutput, sync::sync_file,
};
use gix::{
    lock::acquire::Fail,
    refs::{
        FullName, Target,
        store::WriteReflog,
        transaction::{self, Change, LogChange, PreviousValue, RefLog},
    },
};
use std::{path::PathBuf, thread, time::Duration};

/// How long a lock of somebody else is waited for, in all.
const LOCK_WAIT: Duration = Duration::from_millis(500);
/// How often git is asked again in that time.
const LOCK_TRIES: u32 = 5;

/// Refs that always have a reflog.
const OURS: &str = "refs/rapid/";

impl Repository {
    /// Moves refs, all or none, each with a reflog entry saying `message`.
    ///
    /// One edit goes through gix on the files backend (no process); several, and
    /// everything on reftable, are one `git update-ref --stdin` transaction. Symbolic refs
    /// are replaced, not followed. `Err(Conflict)` when one is not where it was expected,
    /// `Err(Locked)` after a bounded wait.
    pub fn update_refs(&self, edits: &[RefEdit], message: &str) -> Result<(), Error> {
        for edit in edits {
            if FullName::try_from(edit.name.as_str()).is_err() {
                return Err(Error::Unsupported(format!("a ref named {:?}", edit.name)));
            }
        }
        // A reflog entry is one line.
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        if edits.iter().any(|edit| edit.name.starts_with(OURS)) {
            lock_owner::clear(self.common_dir());
        }
        match edits {
            [] => Ok(()),
            [edit] if !self.reftable => self.edit_one(edit, &message),
            _ => self.edit_through_git(edits, &message),
        }
    }

    fn edit_one(&self, edit: &RefEdit, message: &str) -> Result<(), Error> {
        let conflict = || Error::Conflict {
            name: edit.name.clone(),
        };
        let Some(gix_edit) = to_gix_edit(edit, message) else {
            // To delete what must not exist is to look whether it does.
            return match self.find_ref(&edit.name)? {
                None => Ok(()),
                Some(_) => Err(conflict()),
            };
        };
        let mut store = self.inner.refs.clone();
        if edit.name.starts_with(OURS) && store.write_reflog == WriteReflog::Disable {
            store.write_reflog = WriteReflog::Normal;
        }
        let [lock, _] = self.locks_of(edit);
        let _note = edit
            .name
            .starts_with(OURS)
            .then(|| lock_owner::announce(self.common_dir(), &lock, edit.new));
        let who = self.reflog_identity().actor();
        let mut buffer = gix::date::parse::TimeBuf::default();
        let wait = Fail::AfterDurationWithBackoff(LOCK_WAIT);
        let done = store
            .transaction()
            .prepare([gix_edit], wait, wait)
            .and_then(|prepared| prepared.commit(who.to_ref(&mut buffer)))
            .map_err(|error| self.why_not(edit, &error))?;
        let existed = done.iter().any(|done| {
            matches!(
                done.change,
                Change::Update {
                    expected: PreviousValue::MustExistAndMatch(_),
                    ..
                }
            )
        });
        // gix lets it pass when the ref already had the new value; nothing was written.
        if edit.expected == Expected::Absent && existed {
            return Err(conflict());
        }
        if edit.new.is_some() && self.durability().refs {
            self.sync_ref(&edit.name)?;
        }
        Ok(())
    }

    /// What gix's failure to move a ref means.
    fn why_not(&self, edit: &RefEdit, error: &gix::Error) -> Error {
        use gix::refs::file::transaction::prepare::{MustNotExist, ReferenceOutOfDate};
        let moved = error.downcast_any_ref::<ReferenceOutOfDate>().is_some()
            || error.downcast_any_ref::<MustNotExist>().is_some()
            || !self.stands(edit);
        if moved {
            return Error::Conflict {
                name: edit.name.clone(),
            };
        }
        if error.can_retry()
            && let Some(held) = self.locks_of(edit).iter().find_map(|path| lock::held(path))
        {
            return held;
        }
        if error.can_retry() {
            // Whoever held it has just let go: to read again and to retry is right.
            return Error::Conflict {
                name: edit.name.clone(),
            };
        }
        Error::gix_write("move a ref", &self.ref_path(&edit.name), error)
    }

    /// Whether a ref is where an edit wants it.
    fn stands(&self, edit: &RefEdit) -> bool {
        let found = match self.find_ref(&edit.name) {
            Ok(found) => found,
            Err(_) => return true,
        };
        match edit.expected {
            Expected::Any => true,
            Expected::Absent => found.is_none(),
            Expected::At(oid) => found == Some(oid),
        }
    }

    fn edit_through_git(&self, edits: &[RefEdit], message: &str) -> Result<(), Error> {
        let mut args = vec!["update-ref", "--no-deref", "-m", message];
        if edits.iter().any(|edit| edit.name.starts_with(OURS)) {
            args.push("--create-reflog");
        }
        args.extend(["--stdin", "-z"]);
        let mut git = GitProcess::new(self, args);
        let who = self.reflog_identity();
        let text = |bytes: &[u8]| {
            use std::os::unix::ffi::OsStrExt;
            std::ffi::OsStr::from_bytes(bytes).to_owned()
        };
        git.set.extend([
            ("GIT_COMMITTER_NAME".into(), text(&who.name.0)),
            ("GIT_COMMITTER_EMAIL".into(), text(&who.email.0)),
        ]);
        let null = gix::ObjectId::null(self.inner.object_hash()).to_string();
        for edit in edits {
            if let Some(line) = instruction(edit, &null) {
                git.stdin.extend_from_slice(line.as_bytes());
            }
        }
        if git.stdin.is_empty() {
            return Ok(());
        }
        let mut tries = LOCK_TRIES;
        loop {
            let output = git.any_output()?;
            if output.code == Some(0) {
                return Ok(());
            }
            match self.why_git_did_not(edits, &git, &output) {
                Error::Locked { .. } if tries > 0 => {
                    tries -= 1;
                    thread::sleep(LOCK_WAIT / LOCK_TRIES);
                }
                error => return Err(error),
            }
        }
    }

    /// What a failed transaction of the program means: the refs are looked at first, its
    /// words (untranslated) second.
    fn why_git_did_not(&self, edits: &[RefEdit], git: &GitProcess, output: &GitOutput) -> Error {
        if let Some(edit) = edits.iter().find(|edit| !self.stands(edit)) {
            return Error::Conflict {
                name: edit.name.clone(),
            };
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("Unable to create '") && said.contains(".lock") {
            let path = said
                .split_once("Unable to create '")
                .and_then(|(_, rest)| rest.split_once('\''))
                .map(|(path, _)| PathBuf::from(path));
            if said.contains("File exists") {
                let path = path.unwrap_or_else(|| self.common_dir().to_owned());
                return lock::held(&path).unwrap_or(Error::Locked { path, seconds: 0 });
            }
            if said.contains("Read-only file system") || said.contains("Permission denied") {
                return Error::ReadOnly {
                    path: path.unwrap_or_else(|| self.common_dir().to_owned()),
                    source: std::io::ErrorKind::PermissionDenied.into(),
                };
            }
        }
        if said.contains("data is locked") || said.contains("cannot lock references") {
            let path = self.common_dir().join("reftable").join("tables.list.lock");
            return lock::held(&path).unwrap_or(Error::Locked { path, seconds: 0 });
        }
        let moved = [
            "but expected",
            "reference already exists",
            "unable to resolve",
        ];
        if moved.iter().any(|words| said.contains(words)) {
            let name = edits
                .iter()
                .find(|edit| said.contains(&format!("'{}'", edit.name)))
                .or(edits.first())
                .map_or_else(String::new, |edit| edit.name.clone());
            return Error::Conflict { name };
        }
        git.failed(output)
    }

    /// The locks that an edit needs.
    fn locks_of(&self, edit: &RefEdit) -> [PathBuf; 2] {
        let mut own = self.ref_path(&edit.name).into_os_string();
        own.push(".lock");
        [own.into(), self.common_dir().join("packed-refs.lock")]
    }

    /// Where the files backend keeps a ref.
    fn ref_path(&self, name: &str) -> PathBuf {
        let per_worktree = ["refs/worktree/", "refs/bisect/", "refs/rewritten/"];
        let shared = name.starts_with("refs/")
            && !per_worktree.iter().any(|prefix| name.starts_with(prefix));
        let base = if shared {
            self.common_dir()
        } else {
            self.git_dir()
        };
        base.join(name)
    }

    fn sync_ref(&self, name: &str) -> Result<(), Error> {
        let path = self.ref_path(name);
        if path.is_file() {
            sync_file(&path)?;
        }
        let log = self.common_dir().join("logs").join(name);
        if log.is_file() {
            sync_file(&log)
        } else {
            Ok(())
        }
    }
}

/// `None` for the one edit that changes nothing: deleting what must be absent.
fn to_gix_edit(edit: &RefEdit, message: &str) -> Option<transaction::RefEdit> {
    let name = FullName::try_from(edit.name.as_str()).ok()?;
    let expected = match edit.expected {
        Expected::Any => PreviousValue::Any,
        Expected::Absent => PreviousValue::MustNotExist,
        Expected::At(oid) => PreviousValue::MustExistAndMatch(Target::Object(to_gix(oid))),
    };
    let change = match edit.new {
        Some(new) => Change::Update {
            log: LogChange {
                mode: RefLog::AndReference,
                force_create_reflog: edit.name.starts_with(OURS),
                message: message.into(),
            },
            expected,
            new: Target::Object(to_gix(new)),
        },
        // gix panics on this one.
        None if edit.expected == Expected::Absent => return None,
        None => Change::Delete {
            expected,
            log: RefLog::AndReference,
        },
    };
    Some(transaction::RefEdit {
        change,
        name,
        deref: false,
    })
}

/// One line of `git update-ref --stdin -z`; an empty old value is "do not look".
fn instruction(edit: &RefEdit, null: &str) -> Option<String> {
    let name = &edit.name;
    let line = match (edit.new, edit.expected) {
        (Some(new), Expected::Absent) => format!("create {name}\0{}\0", new.hex()),
        (Some(new), Expected::At(old)) => {
            format!("update {name}\0{}\0{}\0", new.hex(), old.hex())
        }
        (Some(new), Expected::Any) => format!("update {name}\0{}\0\0", new.hex()),
        (None, Expected::Absent) => format!("verify {name}\0{null}\0"),
        (None, Expected::At(old)) => format!("delete {name}\0{}\0", old.hex()),
        (None, Expected::Any) => format!("delete {name}\0\0"),
    };
    Some(line)
}

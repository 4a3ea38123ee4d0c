//! Making what the ledger never would, with plain git commands.

use super::scratch::Scratch;
use git_rapid::domain::record::{Place, Record};

/// A stream's tree in an index of its own, ready to be changed.
pub struct Forge<'s> {
    pub scratch: &'s Scratch,
    pub name: String,
    pub tip: String,
    index: String,
}

impl<'s> Forge<'s> {
    /// Begins with the tree at a ref.
    pub fn on(scratch: &'s Scratch, name: &str) -> Self {
        Self::at(scratch, name, name)
    }

    /// Begins with the tree of some commit.
    pub fn at(scratch: &'s Scratch, name: &str, commit: &str) -> Self {
        let forge = Self {
            scratch,
            name: name.to_owned(),
            tip: scratch.tip(name),
            index: scratch
                .dir
                .join(".git/forge-index")
                .to_str()
                .unwrap()
                .to_owned(),
        };
        let _ = std::fs::remove_file(&forge.index);
        forge.git(&["read-tree", commit]);
        forge
    }

    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let output = self
            .scratch
            .git_with(args, &[("GIT_INDEX_FILE", &self.index)], b"");
        String::from_utf8(output).unwrap().trim_end().to_owned()
    }

    /// Sets a file.
    #[track_caller]
    pub fn write(&mut self, path: &str, bytes: &[u8], mode: &str) {
        let blob = self.blob(bytes);
        self.entry(path, &blob, mode);
    }

    /// Sets an entry to some object.
    #[track_caller]
    pub fn entry(&mut self, path: &str, oid: &str, mode: &str) {
        self.git(&[
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("{mode},{oid},{path}"),
        ]);
    }

    pub fn blob(&self, bytes: &[u8]) -> String {
        let args = ["hash-object", "-w", "--stdin"];
        let output = self.scratch.git_with(&args, &[], bytes);
        String::from_utf8(output).unwrap().trim_end().to_owned()
    }

    /// Takes a file away.
    #[track_caller]
    pub fn remove(&mut self, path: &str) {
        self.git(&["update-index", "--force-remove", path]);
    }

    /// A record of the tree: its path and its bytes.
    #[track_caller]
    pub fn record(&self, seq: u64) -> (String, Vec<u8>) {
        let files = self.git(&["ls-files", &format!("records/*/{seq:06}-*")]);
        let path = files
            .lines()
            .next()
            .expect("there is such a record")
            .to_owned();
        let args = ["cat-file", "blob", &format!(":{path}")];
        let bytes = self
            .scratch
            .git_with(&args, &[("GIT_INDEX_FILE", &self.index)], b"");
        (path, bytes)
    }

    /// A record of the tree, read.
    #[track_caller]
    pub fn read(&self, seq: u64) -> Record {
        let (_, bytes) = self.record(seq);
        Record::read(bytes.strip_suffix(b"\n").unwrap()).unwrap()
    }

    /// Sets a record's file, named as it must be.
    #[track_caller]
    pub fn add(&mut self, record: &Record) -> String {
        let path = path_of(record);
        let mut bytes = record.canonical_bytes();
        bytes.push(b'\n');
        self.write(&path, &bytes, "100644");
        path
    }

    /// Writes the tree.
    pub fn tree(&self) -> String {
        self.git(&["write-tree", "--missing-ok"])
    }

    /// Commits the tree.
    #[track_caller]
    pub fn commit(&self, parents: &[&str], message: &str) -> String {
        self.commit_tree(&self.tree(), parents, message)
    }

    #[track_caller]
    pub fn commit_tree(&self, tree: &str, parents: &[&str], message: &str) -> String {
        let mut args = vec!["commit-tree", tree, "-F", "-"];
        for parent in parents {
            args.extend(["-p", parent]);
        }
        let output = self.scratch.git_with(&args, &[], message.as_bytes());
        String::from_utf8(output).unwrap().trim_end().to_owned()
    }

    /// Moves the stream's ref.
    #[track_caller]
    pub fn set(&self, commit: &str) {
        self.scratch.git(&["update-ref", &self.name, commit]);
    }

    /// Puts the tree in place of the tip's, with the same parents and message.
    #[track_caller]
    pub fn amend(&self) -> String {
        let message = self.message_of(&self.tip);
        self.amend_saying(&message)
    }

    /// The same with another message.
    #[track_caller]
    pub fn amend_saying(&self, message: &str) -> String {
        let parents = self.parents_of(&self.tip);
        let parents: Vec<&str> = parents.iter().map(String::as_str).collect();
        let commit = self.commit(&parents, message);
        self.set(&commit);
        commit
    }

    /// Puts a commit with the tree on top of the tip.
    #[track_caller]
    pub fn on_top(&self, message: &str) -> String {
        let commit = self.commit(&[&self.tip], message);
        self.set(&commit);
        commit
    }

    /// Adds a record on top of the tip with the message it must have.
    #[track_caller]
    pub fn append(&mut self, record: &Record) -> String {
        self.add(record);
        self.on_top(&saying(std::slice::from_ref(record)))
    }

    pub fn message_of(&self, commit: &str) -> String {
        let bytes = self
            .scratch
            .git_with(&["log", "-1", "--format=%B", commit], &[], b"");
        String::from_utf8(bytes).unwrap()
    }

    pub fn parents_of(&self, commit: &str) -> Vec<String> {
        let line = self.git(&["rev-list", "--parents", "-1", commit]);
        line.split(' ').skip(1).map(str::to_owned).collect()
    }
}

/// Where a record lies.
pub fn path_of(record: &Record) -> String {
    format!(
        "records/{:04}/{:06}-{}.{}.json",
        record.seq() / 100,
        record.seq(),
        record.digest.short(16),
        record.record_type()
    )
}

/// The message of a commit that adds these records.
pub fn saying(records: &[Record]) -> String {
    git_rapid::ledger::format_message("forged", records)
}

/// A record like another one at some place.
pub fn placed(like: &Record, seq: u64, prev: Vec<git_rapid::domain::digest::Digest>) -> Record {
    let place = Place::Next {
        stream: like.stream(),
        seq,
        prev,
    };
    let (producer, body) = super::scratch::note("forged");
    Record::new(place, producer, body)
}

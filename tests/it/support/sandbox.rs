//! A folder of its own with a home, an identity, a clock and a repository.

use super::Run;
use serde_json::Value;
use std::{
    ffi::{OsStr, OsString},
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicI64, Ordering},
};

/// 2030-01-01T00:00:00Z: far from any clock that a test could read by mistake.
const FIRST_SECOND: i64 = 1_893_456_000;

/// Which repository a sandbox begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SandboxKind {
    /// Object ids are SHA-256.
    pub sha256: bool,
    /// Refs are kept in a reftable.
    pub reftable: bool,
    /// No working tree.
    pub bare: bool,
}

/// A scratch world that goes away when it is dropped.
pub struct Sandbox {
    root: tempfile::TempDir,
    dir: PathBuf,
    variables: Vec<(OsString, OsString)>,
    second: AtomicI64,
}

impl Sandbox {
    /// A home and an empty folder `work`; no repository.
    pub fn empty() -> Self {
        let root = tempfile::Builder::new()
            .prefix("git-rapid-test-")
            .tempdir()
            .expect("a temporary folder can be made");
        // The plain path: what git prints is then comparable (macOS links /tmp).
        let path = root.path().canonicalize().expect("it was just made");
        for folder in ["home", "work", "tmp"] {
            fs::create_dir(path.join(folder)).expect("a fresh folder is writable");
        }
        let mut sandbox = Self {
            dir: path.join("work"),
            variables: Vec::new(),
            second: AtomicI64::new(FIRST_SECOND),
            root,
        };
        sandbox.variables = sandbox.first_environment(&path);
        sandbox
    }

    /// An empty repository on the unborn branch `main`.
    pub fn repo() -> Self {
        Self::repo_of(SandboxKind::default())
    }

    /// An empty repository of some kind.
    pub fn repo_of(kind: SandboxKind) -> Self {
        let sandbox = Self::empty();
        let mut args = vec!["init", "--quiet", "--initial-branch=main"];
        if kind.sha256 {
            args.push("--object-format=sha256");
        }
        if kind.reftable {
            args.push("--ref-format=reftable");
        }
        if kind.bare {
            args.push("--bare");
        }
        sandbox.git(&args);
        sandbox
    }

    /// A repository with one commit that holds `README` and `src/lib.txt`.
    pub fn project() -> Self {
        let sandbox = Self::repo();
        sandbox.write("README", "a project\n");
        sandbox.write("src/lib.txt", "one\n");
        sandbox.commit_all("first");
        sandbox
    }

    /// Where commands run: the repository's root.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The folder around it, for clones and linked worktrees.
    pub fn root(&self) -> PathBuf {
        self.dir.parent().expect("it lies in one").to_owned()
    }

    /// A path below [`dir`](Self::dir).
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.dir.join(relative)
    }

    /// Sets a variable for every later child.
    pub fn set(&mut self, name: &str, value: impl AsRef<OsStr>) {
        self.unset(name);
        self.variables
            .push((name.into(), value.as_ref().to_owned()));
    }

    /// Takes a variable away from every later child.
    pub fn unset(&mut self, name: &str) {
        self.variables.retain(|(known, _)| known != name);
    }

    /// The whole environment of a child, with the moment it commits at. The moment moves
    /// on by one second with each call.
    pub fn environment(&self) -> Vec<(OsString, OsString)> {
        let second = self.second.fetch_add(1, Ordering::Relaxed);
        let mut variables = self.variables.clone();
        for name in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
            if !variables.iter().any(|(known, _)| known == name) {
                variables.push((name.into(), format!("{second} +0000").into()));
            }
        }
        variables
    }

    /// Writes a file and the folders it needs.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Writes a file that can be executed.
    pub fn write_program(&self, relative: impl AsRef<Path>, content: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(relative, content);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// A file's text.
    #[track_caller]
    pub fn read(&self, relative: impl AsRef<Path>) -> String {
        let path = self.path(relative);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Deletes a file.
    #[track_caller]
    pub fn remove(&self, relative: impl AsRef<Path>) {
        fs::remove_file(self.path(relative)).unwrap();
    }

    /// A command in [`dir`](Self::dir), with this environment and nothing on standard input.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.dir)
            .env_clear()
            .envs(self.environment())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end, however it ends.
    pub fn finish(&self, command: &mut Command) -> Run {
        let called = words(command.get_program(), command.get_args());
        let output = command
            .output()
            .unwrap_or_else(|error| panic!("{called}: {error}"));
        Run::of(called, output)
    }

    /// Runs git, which must end well; what it printed, without the last newline.
    #[track_caller]
    pub fn git(&self, args: &[&str]) -> String {
        let run = self.try_git(args).ended(0);
        run.stdout.strip_suffix('\n').unwrap_or(&run.stdout).into()
    }

    /// Runs git, however it ends.
    pub fn try_git(&self, args: &[&str]) -> Run {
        self.finish(self.command("git").args(args))
    }

    /// Stages everything and commits it; the commit's id.
    #[track_caller]
    pub fn commit_all(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// The tree that `git add -A && git write-tree` would make, on a copy of the index.
    #[track_caller]
    pub fn git_tree(&self) -> String {
        let index = self.git(&["rev-parse", "--git-path", "index"]);
        let copy = self.root().join("tmp/index-copy");
        match fs::copy(self.dir.join(index), &copy) {
            Ok(_) => {}
            Err(_) => drop(fs::remove_file(&copy)),
        }
        for args in [["add", "--all"].as_slice(), &["write-tree"]] {
            let run = self
                .finish(self.command("git").args(args).env("GIT_INDEX_FILE", &copy))
                .ended(0);
            if args == ["write-tree"] {
                return run.stdout.trim().to_owned();
            }
        }
        unreachable!("the loop ends with write-tree")
    }

    /// The program under test, in the making.
    pub fn rapid_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_git-rapid"));
        command.args(args);
        command
    }

    /// Runs the program under test, however it ends.
    pub fn rapid(&self, args: &[&str]) -> Run {
        self.finish(&mut self.rapid_command(args))
    }

    /// Runs it in another folder.
    pub fn rapid_in(&self, dir: impl AsRef<Path>, args: &[&str]) -> Run {
        self.finish(self.rapid_command(args).current_dir(dir))
    }

    /// Runs it with something on standard input.
    pub fn rapid_with_input(&self, args: &[&str], input: &[u8]) -> Run {
        let mut child = self
            .rapid_command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program under test starts");
        let mut stdin = child.stdin.take().expect("it was piped");
        // It may end without reading everything.
        drop(stdin.write_all(input));
        drop(stdin);
        let output = child.wait_with_output().expect("it can be waited for");
        Run::of(
            words(OsStr::new("git-rapid"), args.iter().map(OsStr::new)),
            output,
        )
    }

    /// Runs it; it must end well; what it printed.
    #[track_caller]
    pub fn rapid_ok(&self, args: &[&str]) -> String {
        self.rapid(args).ended(0).stdout
    }

    /// Runs it with `--json`; the document, however it ended.
    #[track_caller]
    pub fn rapid_json(&self, args: &[&str]) -> Value {
        let mut all = vec!["--json"];
        all.extend_from_slice(args);
        self.rapid(&all).json()
    }

    /// Everything that a reading verb must leave alone: refs, HEAD, index, config, the
    /// files of the worktree. Two equal texts: nothing changed.
    #[track_caller]
    pub fn fingerprint(&self) -> String {
        let refs = self.git(&["for-each-ref"]);
        let head = self.try_git(&["symbolic-ref", "HEAD"]).stdout;
        let git_dir = PathBuf::from(self.git(&["rev-parse", "--absolute-git-dir"]));
        let mut text = format!("{refs}\n{head}");
        let own = |path: &Path| path.starts_with(&git_dir);
        for path in files_below(&self.dir, &own) {
            text.push_str(&describe(&path));
        }
        for name in ["index", "config", "rapid/session.json"] {
            text.push_str(&describe(&git_dir.join(name)));
        }
        text
    }

    fn first_environment(&self, root: &Path) -> Vec<(OsString, OsString)> {
        let program = Path::new(env!("CARGO_BIN_EXE_git-rapid"));
        let mut path = program
            .parent()
            .expect("it lies in a folder")
            .as_os_str()
            .to_owned();
        if let Some(inherited) = std::env::var_os("PATH") {
            path.push(":");
            path.push(inherited);
        }
        let mut variables: Vec<(OsString, OsString)> = vec![("PATH".into(), path)];
        let fixed: &[(&str, &str)] = &[
            ("LC_ALL", "C"),
            ("TZ", "UTC"),
            ("TERM", "dumb"),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_AUTHOR_NAME", "A U Thor"),
            ("GIT_AUTHOR_EMAIL", "author@example.com"),
            ("GIT_COMMITTER_NAME", "C O Mitter"),
            ("GIT_COMMITTER_EMAIL", "committer@example.com"),
            ("GIT_TERMINAL_PROMPT", "0"),
            // A hung git would hang the tests.
            ("GIT_EDITOR", "true"),
            ("GIT_PAGER", "cat"),
        ];
        variables.extend(
            fixed
                .iter()
                .map(|(name, value)| (name.into(), value.into())),
        );
        variables.push(("HOME".into(), root.join("home").into()));
        variables.push(("TMPDIR".into(), root.join("tmp").into()));
        variables.extend(toolchain());
        variables
    }
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sandbox({})", self.root.path().display())
    }
}

/// Rust's tools find their files below the home they were installed in.
fn toolchain() -> Vec<(OsString, OsString)> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")]
        .into_iter()
        .filter_map(|(name, folder)| {
            let value = std::env::var_os(name)
                .or_else(|| home.as_ref().map(|home| home.join(folder).into()))?;
            Some((name.into(), value))
        })
        .chain(
            ["LD_LIBRARY_PATH", "RUSTUP_TOOLCHAIN"]
                .into_iter()
                .filter_map(|name| Some((name.into(), std::env::var_os(name)?))),
        )
        .collect()
}

fn words<'a>(program: &'a OsStr, args: impl IntoIterator<Item = &'a OsStr>) -> String {
    let program = Path::new(program).file_name().unwrap_or(program);
    std::iter::once(program)
        .chain(args)
        .map(|word| word.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

fn files_below(dir: &Path, skip: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        if skip(&folder) {
            continue;
        }
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path()),
                false => found.push(entry.path()),
            }
        }
    }
    found.sort();
    found
}

fn describe(path: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    match fs::symlink_metadata(path) {
        Err(_) => format!("{} absent\n", path.display()),
        Ok(found) if found.is_symlink() => {
            format!(
                "{} -> {}\n",
                path.display(),
                fs::read_link(path).unwrap().display()
            )
        }
        Ok(found) => format!(
            "{} {:o} {}\n",
            path.display(),
            found.permissions().mode(),
            git_rapid::domain::digest::Digest::of(&fs::read(path).unwrap())
        ),
    }
}

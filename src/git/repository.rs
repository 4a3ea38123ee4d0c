//! An open repository: where it lies, what it is made of, what this handle remembers.
//!
//! The location variables of git (`GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`,
//! `GIT_OBJECT_DIRECTORY`, …) and the config ones are taken from the environment that
//! the caller passes, not from the process. Only `HOME` and `XDG_CONFIG_HOME` are read
//! from the process by gix itself, to find the user's config files. Replacement objects
//! (`refs/replace`) are never followed: what is proved is what is stored.

use super::{
    Error,
    environment::{Environment, is_true},
    error::chain,
    object::{Overlay, SideStore},
    snapshot::Unkept,
    sync::Durability,
};
use crate::domain::path::RepoPath;
use gix::{open, sec};
use std::{
    cell::{OnceCell, RefCell},
    ffi::OsString,
    os::unix::ffi::OsStrExt,
    path::{Component, Path, PathBuf},
};

/// How to open.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Where to look from.
    pub start: PathBuf,
    /// The environment as it came in; `GIT_DIR`, `GIT_WORK_TREE`, `GIT_INDEX_FILE`,
    /// `GIT_OBJECT_DIRECTORY` and the like are honoured as git honours them.
    pub environment: Vec<(OsString, OsString)>,
}

/// An open repository. Cheap to open (under a millisecond); no process is started.
pub struct Repository {
    pub(super) inner: gix::Repository,
    pub(super) environment: Environment,
    /// Where `GIT_INDEX_FILE` or the git directory says the index is.
    pub(super) index_file: PathBuf,
    pub(super) reftable: bool,
    /// Object directories named by `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
    pub(super) alternates: Vec<gix::odb::Handle>,
    pub(super) side: SideStore,
    pub(super) overlay: Overlay,
    /// Large content of snapshots, by id only.
    pub(super) unkept: Unkept,
    pub(super) durability: OnceCell<Durability>,
    /// Config that this handle has set.
    pub(super) written: RefCell<Vec<(String, String)>>,
}

impl Repository {
    /// Opens the repository at or above `options.start`.
    pub fn open(options: &OpenOptions) -> Result<Self, Error> {
        let environment = Environment::new(&options.environment);
        let start = std::path::absolute(if options.start.as_os_str().is_empty() {
            Path::new(".")
        } else {
            &options.start
        })
        .map_err(|source| Error::io("cannot find", &options.start, source))?;
        let inner = match environment.get("GIT_DIR") {
            Some(dir) => open_at(&start.join(dir), &environment)?,
            None => discover(&start, &environment)?,
        };
        Self::from_gix(inner, environment, &start)
    }

    fn from_gix(
        mut inner: gix::Repository,
        environment: Environment,
        start: &Path,
    ) -> Result<Self, Error> {
        refuse_other_common_dir(&inner, &environment, start)?;
        if let Some(dir) = environment.get("GIT_WORK_TREE") {
            let dir = start.join(dir);
            inner
                .set_workdir(normal(&dir))
                .map_err(|error| Error::gix("use GIT_WORK_TREE", &error))?;
        } else if environment.get("GIT_DIR").is_some() {
            let root = implied_work_tree(&inner, &environment, start);
            inner
                .set_workdir(root)
                .map_err(|error| Error::gix("use the current directory", &error))?;
        }
        let index_file = match environment.get("GIT_INDEX_FILE") {
            // Git stands at the root of the working tree when it resolves this name.
            Some(file) => normal(&inner.workdir().unwrap_or(start).join(file)),
            None => inner.git_dir().join("index"),
        };
        let hash = inner.object_hash();
        if let Some(dir) = environment.get("GIT_OBJECT_DIRECTORY") {
            let dir = start.join(dir);
            let odb = gix::odb::at(&dir, hash)
                .map_err(|source| Error::io("cannot open", &dir, source))?;
            inner.objects = gix::OdbHandle::from(odb).with_write_passthrough();
        }
        let alternates = environment
            .alternates()
            .into_iter()
            .map(|dir| start.join(dir))
            .filter(|dir| dir.is_dir())
            .map(|dir| {
                gix::odb::at(&dir, hash).map_err(|source| Error::io("cannot open", &dir, source))
            })
            .collect::<Result<_, _>>()?;
        let reftable = uses_reftable(&inner)?;
        let side = SideStore::new(inner.common_dir(), hash);
        Ok(Self {
            inner,
            environment,
            index_file,
            reftable,
            alternates,
            side,
            overlay: Overlay::default(),
            unkept: Unkept::default(),
            durability: OnceCell::new(),
            written: RefCell::default(),
        })
    }

    /// Opens the working tree whose own git directory is `git_dir`, without the location
    /// variables that led to this handle.
    pub(super) fn open_git_dir(&self, git_dir: &Path, work_dir: &Path) -> Result<Self, Error> {
        let environment = self.environment.without_location();
        let inner = open_at(git_dir, &environment)?;
        Self::from_gix(inner, environment, work_dir)
    }

    /// This worktree's own git directory.
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// The git directory shared by all worktrees.
    pub fn common_dir(&self) -> &Path {
        self.inner.common_dir()
    }

    /// The working tree's root, absolute; `Err(Bare)` without one.
    pub fn work_dir(&self) -> Result<&Path, Error> {
        self.inner.workdir().ok_or(Error::Bare)
    }

    /// The index file, absolute; `GIT_INDEX_FILE` is resolved as git resolves it.
    pub fn index_file(&self) -> &Path {
        &self.index_file
    }

    /// Where `dir` (absolute) stands relative to the working tree's root.
    pub fn relative(&self, dir: &Path) -> Result<RepoPath, Error> {
        let root = self.work_dir()?;
        let outside = || Error::OutsideWorkTree {
            path: dir.to_owned(),
            root: root.to_owned(),
        };
        let below = match normal(dir).strip_prefix(normal(root)) {
            Ok(below) => below.to_owned(),
            // One of the two may be spelled through a symlink.
            Err(_) => {
                let dir = dir.canonicalize().map_err(|_| outside())?;
                let root = root.canonicalize().map_err(|_| outside())?;
                dir.strip_prefix(root).map_err(|_| outside())?.to_owned()
            }
        };
        if below.as_os_str().is_empty() {
            return Ok(RepoPath::root());
        }
        RepoPath::new(below.as_os_str().as_bytes()).map_err(|_| outside())
    }

    /// `sha1` or `sha256`.
    pub fn object_format(&self) -> &'static str {
        match self.inner.object_hash() {
            gix::hash::Kind::Sha256 => "sha256",
            _ => "sha1",
        }
    }

    /// Whether refs go through the `git` program (reftable).
    pub fn refs_through_git(&self) -> bool {
        self.reftable
    }

    /// Whether this is a shallow clone.
    pub fn is_shallow(&self) -> bool {
        self.inner.is_shallow().unwrap_or(false)
    }
}

/// Opens exactly this git directory (or the gitfile that names it). Like git, takes the
/// caller's word for it: whoever sets `GIT_DIR` trusts what is there.
fn open_at(git_dir: &Path, environment: &Environment) -> Result<gix::Repository, Error> {
    let options = options(environment)
        .open_path_as_is(true)
        .with(sec::Trust::Full);
    gix::ThreadSafeRepository::open_opts(normal(git_dir), options)
        .map(|found| found.to_thread_local())
        .map_err(|error| translate(git_dir, &error))
}

fn discover(start: &Path, environment: &Environment) -> Result<gix::Repository, Error> {
    let (ceiling_dirs, cross_fs) = (environment.ceilings(), environment.across_file_systems());
    let upwards = gix::discover::upwards::Options {
        ceiling_dirs,
        match_ceiling_dir_or_error: false,
        cross_fs,
        ..Default::default()
    };
    let options = options(environment).bail_if_untrusted(true);
    let by_trust = sec::trust::Mapping {
        full: options.clone(),
        reduced: options,
    };
    let found = gix::ThreadSafeRepository::discover_opts(start, upwards, by_trust)
        .map(|found| found.to_thread_local())
        .map_err(|error| translate(start, &error))?;
    refuse_implied_bare(&found)?;
    Ok(found)
}

/// `safe.bareRepository=explicit`: a bare repository that was merely found is refused, as
/// git refuses it. Like all of `safe.*`, a repository cannot say this about itself.
fn refuse_implied_bare(found: &gix::Repository) -> Result<(), Error> {
    let inside_dot_git = found
        .git_dir()
        .components()
        .any(|part| part.as_os_str() == ".git");
    let said = found
        .config_snapshot()
        .plumbing()
        .string_filter("safe.bareRepository", |section| {
            section.source.kind() != gix::config::source::Kind::Repository
        });
    if found.workdir().is_none()
        && !inside_dot_git
        && said.is_some_and(|said| said.eq_ignore_ascii_case(b"explicit"))
    {
        return Err(Error::Untrusted(format!(
            "cannot use the bare repository '{}' (safe.bareRepository is 'explicit'); name \
             it with GIT_DIR",
            found.git_dir().display()
        )));
    }
    Ok(())
}

fn options(environment: &Environment) -> open::Options {
    let shallow = environment.get("GIT_SHALLOW_FILE").map(|file| {
        let mut setting = b"gitoxide.core.shallowFile=".to_vec();
        setting.extend_from_slice(file.as_bytes());
        gix::bstr::BString::from(setting)
    });
    let (permissions, files) = environment.permissions();
    let mut options = open::Options::default()
        .strict_config(true)
        .permissions(permissions)
        .cli_overrides(environment.config_overrides().into_iter().chain(shallow))
        // Evidence is about what is stored, not about what stands in for it.
        .config_overrides(["core.useReplaceRefs=false"]);
    if let Some(file) = files.system {
        options = options.git_installation_config_path(file);
    }
    if let Some(file) = files.global {
        options = options.system_config_path(file);
    }
    options
}

/// What a failure to open means.
fn translate(at: &Path, error: &gix::Error) -> Error {
    let chain = chain(error);
    if let Some(path) = untrusted_path(&chain) {
        return Error::Untrusted(format!(
            "detected dubious ownership in repository at '{path}'; to add an exception for \
             this directory, call: git config --global --add safe.directory {path}"
        ));
    }
    if error.is_not_found() {
        return Error::NotARepository(at.to_owned());
    }
    if error.is_unsupported() {
        return Error::Unsupported(format!("{}: {chain}", at.display()));
    }
    Error::Gix {
        doing: "open the repository",
        chain: format!("{}: {chain}", at.display()),
    }
}

/// The path in gix's refusal of a repository of another owner.
fn untrusted_path(chain: &str) -> Option<&str> {
    let rest = chain.split_once("The git directory at \"")?.1;
    let (path, rest) = rest.split_once('"')?;
    rest.contains("considered unsafe").then_some(path)
}

/// `GIT_COMMON_DIR` may only repeat what the git directory says itself: nothing reads a
/// repository that is put together from two places.
fn refuse_other_common_dir(
    inner: &gix::Repository,
    environment: &Environment,
    start: &Path,
) -> Result<(), Error> {
    let Some(dir) = environment.get("GIT_COMMON_DIR") else {
        return Ok(());
    };
    let same = match (
        start.join(dir).canonicalize(),
        inner.common_dir().canonicalize(),
    ) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    };
    if same {
        Ok(())
    } else {
        Err(Error::Unsupported(
            "GIT_COMMON_DIR that differs from the repository's own".to_owned(),
        ))
    }
}

/// The working tree when only `GIT_DIR` is given: what `core.worktree` says, none in a bare
/// repository, else the current directory is taken for its root, as git takes it.
fn implied_work_tree(
    inner: &gix::Repository,
    environment: &Environment,
    start: &Path,
) -> Option<PathBuf> {
    let config = inner.config_snapshot();
    let linked = inner.git_dir() != inner.common_dir();
    if config.string("core.worktree").is_some() {
        return inner.workdir().map(Path::to_owned);
    }
    let bare = !linked && config.boolean("core.bare") == Some(true);
    let implied = environment
        .get("GIT_IMPLICIT_WORK_TREE")
        .is_none_or(is_true);
    (!bare && implied).then(|| start.to_owned())
}

/// gix ignores `extensions.refStorage` and would write where git never looks.
fn uses_reftable(inner: &gix::Repository) -> Result<bool, Error> {
    let config = inner.config_snapshot();
    match config.string("extensions.refStorage") {
        None => Ok(false),
        Some(value) if value == "files" => Ok(false),
        Some(value) if value == "reftable" => Ok(true),
        Some(value) => Err(Error::Unsupported(format!(
            "refs kept as '{value}' (extensions.refStorage)"
        ))),
    }
}

/// Removes `.` and resolves `..` by name.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

//! The test command of a project, from the files in its root.
//!
//! Only what a few well-known files say is used; nothing is guessed that would run
//! and test nothing. Where no file tells a command there is none, and the user is asked.

mod make;
mod node;
mod python;

use crate::domain::bytes::ByteText;

/// A test command and the file that told it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// The command.
    pub argv: Vec<ByteText>,
    /// The file's name.
    pub source: &'static str,
}

/// Gives the bytes of a file of the project, or `None` where there is no such file.
type Read<'r> = &'r mut dyn FnMut(&str) -> Option<Vec<u8>>;

/// The command for a root that holds the named files; `read` gives a file's bytes. The
/// names are relative to the root, some of them with a folder (`tests/__init__.py`).
///
/// In the order of RULES "Policy"; the first file that tells a command wins.
pub fn detect_test_command(read: Read<'_>) -> Option<Detected> {
    const WAYS: &[fn(Read<'_>) -> Option<Detected>] = &[
        |read| by_presence(read, "Cargo.toml", &["cargo", "test"]),
        |read| by_presence(read, "go.mod", &["go", "test", "-v", "./..."]),
        node::detect,
        python::detect,
        make::makefile,
        make::justfile,
        |read| {
            with_wrapper(
                read,
                "pom.xml",
                "mvnw",
                &["./mvnw", "test"],
                &["mvn", "test"],
            )
        },
        |read| gradle(read, "build.gradle"),
        |read| gradle(read, "build.gradle.kts"),
        |read| by_presence(read, "mix.exs", &["mix", "test"]),
    ];
    WAYS.iter().find_map(|way| way(read))
}

fn detected(source: &'static str, argv: &[&str]) -> Detected {
    Detected {
        argv: argv.iter().map(|word| ByteText::from(*word)).collect(),
        source,
    }
}

fn by_presence(read: Read<'_>, file: &'static str, argv: &[&str]) -> Option<Detected> {
    read(file).map(|_| detected(file, argv))
}

/// A project that brings its build tool along is built with that one.
fn with_wrapper(
    read: Read<'_>,
    file: &'static str,
    wrapper: &str,
    own: &[&str],
    installed: &[&str],
) -> Option<Detected> {
    read(file)?;
    let argv = if read(wrapper).is_some() {
        own
    } else {
        installed
    };
    Some(detected(file, argv))
}

fn gradle(read: Read<'_>, file: &'static str) -> Option<Detected> {
    with_wrapper(
        read,
        file,
        "gradlew",
        &["./gradlew", "test"],
        &["gradle", "test"],
    )
}

//! Counting tests: one file per runner, this one asks them all and chooses.
//!
//! The output decides. Where the shapes of several runners are found (a test may print
//! another runner's summary, a script may call two), the words of the command break the
//! tie, then a finished run goes before an unfinished one, then the later closing line.
//! Only the one chosen is counted. No counter panics on any bytes, and each takes time
//! in proportion to the output.

mod bats;
mod bun;
mod cargo_test;
mod ctest;
mod deno;
mod dotnet;
mod found;
mod go_json;
mod go_test;
mod gotestsum;
mod gradle;
mod jest;
mod lines;
mod minitest;
mod mocha;
mod nextest;
mod node_test;
mod phpunit;
mod playwright;
mod prove;
mod pytest;
mod rspec;
mod surefire;
mod swift;
pub(super) mod tap;
mod unittest;
mod vitest;
mod words;

use crate::domain::{bytes::ByteText, evidence::Counts};
pub(super) use found::{Found, Names};
pub(super) use lines::Lines;

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The runner whose shape it is, e.g. `cargo-test`.
    pub runner: &'static str,
    /// The counts.
    pub counts: Counts,
    /// Names of failed tests, at most 50.
    pub failed_tests: Vec<String>,
    /// Whether the run came to its closing line.
    pub complete: bool,
}

/// A runner whose output is known.
struct Runner {
    name: &'static str,
    count: fn(&[&str]) -> Option<Found>,
    /// Words that name it in a command, each list in this order.
    called: &'static [&'static [&'static str]],
    /// Runners whose output is a part of this one's.
    covers: &'static [&'static str],
}

macro_rules! runners {
    ($($name:literal $module:ident $called:expr, covers $covers:expr;)+) => {
        &[$(Runner { name: $name, count: $module::count, called: &$called, covers: &$covers }),+]
    };
}

/// Every known runner. Of equals the earlier goes first.
const RUNNERS: &[Runner] = runners! {
    "nextest"    nextest    [&["cargo", "nextest"], &["cargo-nextest"]], covers ["cargo-test"];
    "cargo-test" cargo_test [&["cargo", "test"], &["cargo", "t"]], covers [];
    "pytest"     pytest     [&["pytest"], &["py.test"]], covers [];
    "unittest"   unittest   [&["unittest"], &["manage.py", "test"]], covers [];
    "gotestsum"  gotestsum  [&["gotestsum"]], covers ["go-test", "go-json"];
    "go-json"    go_json    [&["go", "test", "-json"]], covers ["go-test"];
    "go-test"    go_test    [&["go", "test"]], covers [];
    "jest"       jest       [&["jest"]], covers [];
    "vitest"     vitest     [&["vitest"]], covers [];
    "mocha"      mocha      [&["mocha"]], covers [];
    "node-test"  node_test  [&["node", "--test"]], covers ["tap"];
    "deno"       deno       [&["deno", "test"]], covers [];
    "bun"        bun        [&["bun", "test"]], covers [];
    "playwright" playwright [&["playwright", "test"]], covers [];
    "prove"      prove      [&["prove"]], covers ["tap"];
    "bats"       bats       [&["bats"]], covers [];
    "ctest"      ctest      [&["ctest"]], covers [];
    "rspec"      rspec      [&["rspec"]], covers [];
    "minitest"   minitest   [&["rails", "test"], &["rake", "test"]], covers [];
    "phpunit"    phpunit    [&["phpunit"]], covers [];
    "surefire"   surefire   [&["mvn"], &["mvnw"]], covers [];
    "gradle"     gradle     [&["gradle"], &["gradlew"]], covers [];
    "dotnet"     dotnet     [&["dotnet", "test"]], covers [];
    "swift"      swift      [&["swift", "test"]], covers [];
    "tap"        tap        [&["bats"], &["tap"], &["tape"]], covers [];
};

/// Counts the tests in a command's output. `None`: the shape is not known (never zero).
/// `argv` helps to choose; the output decides.
pub fn count_output(argv: &[ByteText], output: &[u8]) -> Option<Counted> {
    let lines = Lines::of(output);
    let lines = lines.as_strs();
    let mut found: Vec<(&Runner, Found)> = RUNNERS
        .iter()
        .filter_map(|runner| Some((runner, (runner.count)(&lines)?)))
        .collect();
    let words = command_words(argv);
    let is_called = |runner: &Runner| runner.called.iter().any(|call| in_order(call, &words));
    if found.iter().any(|(runner, _)| is_called(runner)) {
        found.retain(|(runner, _)| is_called(runner));
    }
    let covered: Vec<_> = found
        .iter()
        .flat_map(|(runner, _)| runner.covers)
        .copied()
        .collect();
    found.retain(|(runner, _)| !covered.contains(&runner.name));
    let (runner, found) = found
        .into_iter()
        // `max_by_key` takes the last of equals.
        .rev()
        .max_by_key(|(_, found)| (found.complete, found.at))?;
    Some(found.named(runner.name))
}

/// Whether a summary and an exit code cannot both be true: failures beside success.
/// The other way round is possible: a coverage threshold, a leak check.
pub fn contradicts(exit: &super::Exit, counted: &Counted) -> bool {
    *exit == super::Exit::Code(0) && (counted.counts.failed > 0 || counted.counts.errors > 0)
}

/// The words of a command, those of a script it carries too, without folders.
fn command_words(argv: &[ByteText]) -> Vec<String> {
    argv.iter()
        .flat_map(|word| {
            let word = word.lossy();
            word.split_whitespace()
                .map(|part| part.rsplit('/').next().unwrap_or(part).to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn in_order(call: &[&str], words: &[String]) -> bool {
    let mut words = words.iter();
    call.iter().all(|wanted| words.any(|word| word == wanted))
}

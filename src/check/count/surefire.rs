//! Maven's surefire and failsafe: a total for each module after `Results:`; they are
//! added up. Lines with a time are single classes, which the totals hold.

use super::{
    Found, Names, found,
    words::{labelled_as, labelled_list},
};
use crate::domain::evidence::Counts;

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let (mut counts, mut names) = (Counts::default(), Names::default());
    let (mut begun, mut told, mut built) = (None, None, None);
    for (at, line) in lines.iter().enumerate() {
        let text = without_level(line);
        if let Some(total) = total(text) {
            counts = found::sum(&counts, &total);
            told = Some(at);
        } else if text.starts_with("Running ") || text.contains(" T E S T S") {
            begun = Some(at);
        } else if text.starts_with("BUILD ") {
            built = Some(at);
        } else if text == "No tests to run." {
            told = told.or(Some(at));
        } else if let Some(name) = failure(text) {
            names.push(name);
        }
    }
    let Some(at) = told else {
        // Only a run of this kind has both: its headline and the class.
        return begun
            .filter(|_| lines.iter().any(|line| line.contains(" T E S T S")))
            .map(|at| Found::unfinished(at).failing(names));
    };
    let mut found = Found::complete(at.max(built.unwrap_or(0)), counts).failing(names);
    found.complete = built.is_some() || begun < told;
    Some(found)
}

/// The line without `[INFO] ` and the like.
fn without_level(line: &str) -> &str {
    match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some(("INFO" | "WARNING" | "ERROR", rest)) => rest.trim(),
        _ => line.trim(),
    }
}

/// `Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Flakes: 2`
fn total(text: &str) -> Option<Counts> {
    let list = labelled_list(text, ", ", ": ")?;
    let [
        ("Tests run", total),
        ("Failures", failed),
        ("Errors", errors),
        ..,
    ] = list[..]
    else {
        return None;
    };
    let flaky = labelled_as(&list, &["Flakes"]);
    Some(Counts {
        flaky: (flaky > 0).then_some(flaky),
        ..found::of_total(total, failed, errors, labelled_as(&list, &["Skipped"]))
    })
}

/// `org.x.ATest.foo -- Time elapsed: 0.01 s <<< FAILURE!`, in 2.x `foo(org.x.ATest)  …`
fn failure(text: &str) -> Option<&str> {
    let (rest, word) = text.rsplit_once(" <<< ")?;
    if !matches!(word, "FAILURE!" | "ERROR!") || rest.starts_with("Tests run: ") {
        return None;
    }
    let (name, _) = rest.split_once("Time elapsed: ")?;
    Some(name.trim_end_matches(['-', ' ']))
}

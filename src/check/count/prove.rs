//! `prove`: `Files=…, Tests=…` and `Result: …` after the TAP of the single files.

use super::{
    Found, Names, found,
    words::{counted, labelled_as, number},
};

pub(super) fn count(lines: &[&str]) -> Option<Found> {
    let at = lines
        .iter()
        .rposition(|line| line.starts_with("Result: "))?;
    let verdict = lines[at].strip_prefix("Result: ")?;
    if !matches!(verdict, "PASS" | "FAIL" | "NOTESTS") {
        return None;
    }
    let total = lines[..at].iter().rev().take(3).find_map(|line| {
        let parts: Vec<_> = line
            .split(',')
            .take(2)
            .filter_map(|part| {
                let (word, count) = part.trim().split_once('=')?;
                Some((word, number(count)?.0))
            })
            .collect();
        (parts.first()?.0 == "Files").then(|| labelled_as(&parts, &["Tests"]))
    })?;
    let (mut failed, mut broken, mut skipped) = (0_u64, 0_u64, 0_u64);
    let mut names = Names::default();
    for line in &lines[..at] {
        // `t/b.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)`, once for each bad file.
        if let Some((file, rest)) = line.split_once(" (Wstat: ") {
            names.push(file);
            let count = rest
                .rsplit_once(" Failed: ")
                .and_then(|(_, rest)| number(rest));
            failed = failed.saturating_add(count.unwrap_or_default().0);
        } else if line.starts_with("  Parse errors: ") {
            broken += 1;
        } else if let Some((_, less)) = line.split_once("(less ") {
            // Files that are well do not tell what they skipped.
            skipped = skipped.saturating_add(counted(less).unwrap_or_default().0);
        }
    }
    if verdict == "FAIL" && failed == 0 && broken == 0 {
        broken = 1;
    }
    let mut counts = found::of_total(total, failed, 0, skipped);
    counts.errors = broken;
    let mut found = Found::complete(at, counts).failing(names);
    found.complete = !lines
        .iter()
        .any(|line| line.starts_with("FAILED--Further testing stopped"));
    Some(found)
}

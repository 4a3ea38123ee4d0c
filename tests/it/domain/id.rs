//! The names people read.

use git_rapid::domain::{
    id::{AcceptanceId, GateId, RunId, SpecId, TaskId, WriterId},
    spec::spec_id_from_title,
};
use proptest::prelude::*;

#[test]
fn each_name_has_its_form() {
    fn check<T: std::str::FromStr>(good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(text.parse::<T>().is_ok(), "{text}");
        }
        for text in bad {
            assert!(text.parse::<T>().is_err(), "{text}");
        }
    }
    let long = "a".repeat(63);
    let longer = "a".repeat(64);
    check::<SpecId>(
        &["a", "0", "booking-availability", "a-", &long],
        &["", "-a", "A", "a_b", "a b", "é", &longer, "a/b", "a\n"],
    );
    check::<RunId>(
        &["x-r1-run-001", "x-r1-run-1000", "a-run-b-r2-run-010"],
        &[
            "x-r1-run-1",
            "x-run-001",
            "-r1-run-001",
            "x-r-run-001",
            "x-r1-run-",
            "X-r1-run-001",
        ],
    );
    check::<TaskId>(
        &["T001", "T999", "T1000"],
        &["T1", "T000", "t001", "A001", "T0001", "T01a", ""],
    );
    check::<AcceptanceId>(&["A001"], &["T001", "A0", "A000"]);
    check::<GateId>(
        &["gate.tests"],
        &["tests", "gate.", "gate.Tests", "gate.-x"],
    );
    check::<WriterId>(
        &["0123456789abcdef"],
        &["0123456789abcde", "0123456789abcdeF", ""],
    );
}

#[test]
fn places_become_names() {
    assert_eq!(TaskId::at(1).as_str(), "T001");
    assert_eq!(TaskId::at(1000).as_str(), "T1000");
    assert_eq!(AcceptanceId::at(12).as_str(), "A012");
}

#[test]
fn a_run_name_is_cut_to_fit() {
    let spec: SpecId = "booking-availability".parse().unwrap();
    let run = RunId::new(&spec, 1, 1);
    assert_eq!(run.as_str(), "booking-availability-r1-run-001");
    assert_eq!(run.split_ordinal(), ("booking-availability-r1-run", 1));
    let spec: SpecId = format!("{}-bbbbb", "a".repeat(51)).parse().unwrap();
    let run = RunId::new(&spec, 12, 345);
    assert!(run.as_str().len() <= 63, "{run}");
    assert!(run.as_str().parse::<RunId>().is_ok());
    assert!(!run.as_str().contains("--"), "{run}");
}

#[test]
fn a_title_becomes_a_spec_id() {
    for (title, id) in [
        ("Booking availability", "booking-availability"),
        ("  Tax is counted twice! ", "tax-is-counted-twice"),
        ("Añadir búsqueda rápida", "anadir-busqueda-rapida"),
        ("Größe ändern", "grosse-andern"),
        ("Привет", "privet"),
        ("v2.0: don't panic", "v2-0-don-t-panic"),
        ("---a---b---", "a-b"),
        ("CamelCase", "camelcase"),
    ] {
        assert_eq!(spec_id_from_title(title).unwrap().as_str(), id, "{title}");
    }
    for title in ["", "   ", "---", "!?…", "\u{fffd}"] {
        assert_eq!(spec_id_from_title(title), None, "{title:?}");
    }
}

#[test]
fn a_long_title_is_cut_without_a_dash_at_the_end() {
    let title = format!("{} bbbb", "a".repeat(62));
    assert_eq!(spec_id_from_title(&title).unwrap().as_str(), "a".repeat(62));
}

proptest! {
    #[test]
    fn every_title_gives_a_good_id_or_none(title in any::<String>()) {
        if let Some(id) = spec_id_from_title(&title) {
            prop_assert!(id.as_str().parse::<SpecId>().is_ok());
            prop_assert!(!id.as_str().ends_with('-') && !id.as_str().contains("--"));
        }
    }
}

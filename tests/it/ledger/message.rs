use super::scratch::note;
use git_rapid::{
    domain::{
        digest::Digest,
        record::{Place, Record},
    },
    ledger::{Trailer, format_message, read_trailers},
};
use proptest::prelude::*;

fn records(count: u64) -> Vec<Record> {
    (0..count)
        .map(|place| {
            let (producer, body) = note("something");
            let place = Place::Next {
                stream: Digest::of(b"first"),
                seq: 2 + place,
                prev: vec![Digest::of(b"first")],
            };
            Record::new(place, producer, body)
        })
        .collect()
}

#[test]
fn a_message_reads_as_a_line_and_a_pair_of_trailers_for_each_record() {
    let records = records(2);
    insta::assert_snapshot!(format_message("check, 42 passed on T001", &records), @r"
    chore(rapid): check, 42 passed on T001

    Rapid-Record: 000002-cc70f86153b33a52.evidence
    Rapid-Digest: sha256:cc70f86153b33a529bb05ef20e4c3baafc3b5310a655241ddbae7916604ed744
    Rapid-Record: 000003-9710e2273389f268.evidence
    Rapid-Digest: sha256:9710e2273389f26875140c0f979f36c582da99dff34461d92fc18f9a11fec23e
    ");
}

#[test]
fn what_is_written_is_read_back() {
    let records = records(3);
    let message = format_message("three", &records);
    let right: Vec<Trailer> = records.iter().map(Trailer::of).collect();
    assert_eq!(read_trailers(message.as_bytes()).unwrap(), right);
}

#[test]
fn git_finds_the_same_trailers() {
    let scratch = super::scratch::Scratch::new();
    let message = format_message("two: with a colon", &records(2));
    let args = ["interpret-trailers", "--parse"];
    let found = scratch.git_with(&args, &[], message.as_bytes());
    let (_, own) = message.split_once("\n\n").unwrap();
    assert_eq!(String::from_utf8(found).unwrap(), own);
}

#[test]
fn a_subject_is_one_line_of_bounded_width_without_control_characters() {
    for (subject, line) in [
        ("plain", "chore(rapid): plain"),
        ("two\nlines", "chore(rapid): two lines"),
        ("a\r\n\tb", "chore(rapid): a b"),
        (
            "bell\u{7} and \u{1b}[31mred",
            "chore(rapid): bell and [31mred",
        ),
        ("turned \u{202e}round", "chore(rapid): turned round"),
        (
            "Rapid-Record: x\n\nRapid-Digest: y",
            "chore(rapid): Rapid-Record: x Rapid-Digest: y",
        ),
        ("", "chore(rapid):"),
    ] {
        let message = format_message(subject, &[]);
        assert_eq!(message, format!("{line}\n"), "{subject:?}");
    }
    let long = format_message(&"ñ".repeat(200), &[]);
    assert_eq!(long.trim_end().chars().count(), 72);
}

#[test]
fn halves_of_pairs_and_other_forms_are_refused() {
    let digest = Digest::of(b"x");
    let name = "Rapid-Record: 000007-5c2d10ffa3b19c44.evidence";
    let value = format!("Rapid-Digest: sha256:{digest}");
    for wrong in [
        format!("s\n\n{name}\n"),
        format!("s\n\n{value}\n"),
        format!("s\n\n{value}\n{name}\n"),
        format!("s\n\n{name}\n{name}\n{value}\n"),
        format!("s\n\n{name}\n{value}\n{value}\n"),
        format!("s\n\n{name}\nRapid-Digest: {digest}\n"),
        format!("s\n\n{name}x\n{value}\n"),
        format!("s\n\nRapid-Else: 1\n{name}\n{value}\n"),
        format!("s\n\n{name}\n{}\n", value.to_uppercase()),
    ] {
        assert!(read_trailers(wrong.as_bytes()).is_err(), "{wrong:?}");
    }
}

#[test]
fn only_the_last_paragraph_holds_trailers_and_others_may_stand_in_it() {
    let pair = format!(
        "Rapid-Record: 000007-5c2d10ffa3b19c44.evidence\nRapid-Digest: sha256:{}\n",
        Digest::of(b"x")
    );
    let count = |message: String| read_trailers(message.as_bytes()).map(|found| found.len());
    assert_eq!(count(format!("s\n\n{pair}Signed-off-by: A <a@b>\n")), Ok(1));
    assert_eq!(count(format!("s\n\n{pair}\n\n\n")), Ok(1));
    assert_eq!(count(format!("s\n\n{pair}\nmore text\n")), Ok(0));
    assert_eq!(count(pair), Ok(0));
    assert_eq!(count(String::new()), Ok(0));
}

proptest! {
    #[test]
    fn any_subject_leaves_the_trailers_alone(subject in any::<String>()) {
        let records = records(1);
        let message = format_message(&subject, &records);
        let right: Vec<Trailer> = records.iter().map(Trailer::of).collect();
        prop_assert_eq!(read_trailers(message.as_bytes()).unwrap(), right);
        prop_assert_eq!(message.lines().count(), 4);
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_trailers(&bytes);
    }
}

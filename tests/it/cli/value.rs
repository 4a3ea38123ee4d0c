//! Words of the command line that are more than words.

use git_rapid::{
    cli::value::{self, BadValue, CommandWords, SpecName},
    domain::bytes::ByteText,
    domain::duration::BadDuration,
};
use std::{os::unix::ffi::OsStrExt, time::Duration};

#[test]
fn durations() {
    for (text, seconds) in [("90s", 90), ("15m", 900), ("2h", 7200), ("7", 7)] {
        assert_eq!(
            value::duration(text),
            Ok(Duration::from_secs(seconds)),
            "{text}"
        );
    }
    for text in [
        "",
        "s",
        "1d",
        "-1",
        "1.5s",
        "1 s",
        "٣s",
        "99999999999999999999",
        "18446744073709551615h",
    ] {
        assert_eq!(value::duration(text), Err(BadDuration::Form), "{text}");
    }
    assert_eq!(value::duration("0s"), Err(BadDuration::NoTime));
}

#[test]
fn commands_are_words_without_a_shell() {
    let words = |text: &str| -> Vec<String> {
        let words: CommandWords = text.parse().unwrap();
        words.0.iter().map(ToString::to_string).collect()
    };
    assert_eq!(words("cargo test --lib"), ["cargo", "test", "--lib"]);
    assert_eq!(
        words(r#"sh -c 'a && b' "x|y" a\;b"#),
        ["sh", "-c", "a && b", "x|y", "a;b"]
    );
}

#[test]
fn operators_are_refused_outside_quotes_only() {
    for (text, operator) in [
        ("a && b", "&&"),
        ("a || b", "||"),
        ("a | b", "|"),
        ("a; b", ";"),
        ("a > f", ">"),
        ("a < f", "<"),
        ("a &", "&"),
        ("a >> f", ">>"),
        ("'x' ;", ";"),
    ] {
        match text.parse::<CommandWords>() {
            Err(BadValue::Operator {
                operator: found,
                command,
            }) => {
                assert_eq!((found.as_str(), command.as_str()), (operator, text));
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert_eq!("".parse::<CommandWords>(), Err(BadValue::NoWord));
    assert_eq!("''".parse::<CommandWords>(), Err(BadValue::NoWord));
    assert_eq!("a 'b".parse::<CommandWords>(), Err(BadValue::Quote));
}

#[test]
fn words_after_the_dashes_keep_their_bytes() {
    let raw = std::ffi::OsStr::from_bytes(b"a\xff").to_owned();
    let words = value::byte_words(std::slice::from_ref(&raw));
    assert_eq!(words, [ByteText(b"a\xff".to_vec())]);
    assert_eq!(value::os_word(&words[0]), raw);
}

#[test]
fn specs_by_name_and_revision() {
    let name: SpecName = "booking@2".parse().unwrap();
    assert_eq!((name.id.as_str(), name.revision), ("booking", Some(2)));
    let name: SpecName = "booking".parse().unwrap();
    assert_eq!(name.revision, None);
    for text in ["", "Booking", "booking@", "booking@0", "booking@x", "@2"] {
        assert!(text.parse::<SpecName>().is_err(), "{text}");
    }
}

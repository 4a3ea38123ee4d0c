//! Canonical JSON and its strict reader.

use git_rapid::domain::canonical::{
    BadJson, MAX_DEPTH, MAX_INTEGER, from_canonical, read_strict, to_bytes,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn bad(text: &str) -> BadJson {
    read_strict(text.as_bytes()).unwrap_err()
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(value in json_value()) {
        let bytes = to_bytes(&value);
        prop_assert_eq!(read_strict(&bytes).unwrap(), value.clone());
        prop_assert_eq!(from_canonical::<Value>(&bytes).unwrap(), value);
    }

    #[test]
    fn canonical_is_what_the_canonical_form_is(value in json_value(), turned in any::<bool>()) {
        // The keys come in the order of their UTF-8, which is not always the one that is wanted.
        let value = match value {
            Value::Object(map) if turned => Value::Object(map.into_iter().rev().collect()),
            value => value,
        };
        let bytes = serde_json::to_vec(&value).unwrap();
        let is_canonical = to_bytes(&value) == bytes;
        prop_assert_eq!(from_canonical::<Value>(&bytes).is_ok(), is_canonical);
    }

    #[test]
    fn one_value_has_one_form(value in json_value()) {
        let pretty = serde_json::to_vec_pretty(&value).unwrap();
        let again = read_strict(&pretty).unwrap();
        prop_assert_eq!(to_bytes(&again), to_bytes(&value));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_strict(&bytes);
        let _ = from_canonical::<Value>(&bytes);
    }

    #[test]
    fn text_like_json_is_read_or_refused(text in r#"[\[\]{}:,"\\u0-9a-fnrtl .eE+-]{0,60}"#) {
        if let Ok(value) = read_strict(text.as_bytes()) {
            prop_assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}

#[test]
fn strings_are_written_as_rfc_8785_says() {
    // Section 3.2.2.2 of the RFC, its own example.
    let text = r#""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/""#;
    let value = read_strict(text.as_bytes()).unwrap();
    assert_eq!(
        String::from_utf8(to_bytes(&value)).unwrap(),
        "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\""
    );
    let controls = Value::from("\u{8}\u{9}\u{a}\u{c}\u{d}\u{0}\u{1f}\u{7f}\u{2028}");
    assert_eq!(
        String::from_utf8(to_bytes(&controls)).unwrap(),
        "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7f}\u{2028}\""
    );
}

#[test]
fn keys_are_sorted_by_utf_16() {
    // Section 3.2.3 of the RFC: a surrogate pair sorts before U+FB33, unlike in UTF-8.
    let value = json!({
        "\u{20ac}": "Euro Sign", "\r": "Carriage Return", "\u{fb33}": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control",
        "\u{f6}": "Latin Small Letter O With Diaeresis",
    });
    let text = String::from_utf8(to_bytes(&value)).unwrap();
    let mut places: Vec<_> = [
        "Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew",
    ]
    .iter()
    .map(|word| text.find(word).unwrap())
    .collect();
    let found = places.clone();
    places.sort_unstable();
    assert_eq!(found, places, "{text}");
}

#[test]
fn a_key_that_stands_twice_is_named() {
    assert_eq!(
        bad(r#"{"a":1,"b":2,"a":1}"#),
        BadJson::DuplicateKey("a".into())
    );
    assert_eq!(
        bad(r#"[{"x":{"k":1,"\u006b":2}}]"#),
        BadJson::DuplicateKey("k".into())
    );
    assert!(read_strict(br#"{"a":{"a":1},"b":{"a":1}}"#).is_ok());
}

#[test]
fn only_exact_integers_are_numbers() {
    for text in [
        "1.0",
        "1e3",
        "-0",
        "0.5",
        "-0.0",
        "9007199254740992",
        "-9007199254740992",
    ] {
        assert!(matches!(bad(text), BadJson::Number(_)), "{text}");
    }
    assert!(matches!(bad("18446744073709551616"), BadJson::Number(_)));
    assert!(read_strict(b"1e999").is_err());
    assert_eq!(
        bad("1.5").to_string(),
        "1.5 is not an integer between -(2^53-1) and 2^53-1"
    );
    for number in [0, 1, -1, MAX_INTEGER, -MAX_INTEGER] {
        assert_eq!(
            read_strict(number.to_string().as_bytes()).unwrap(),
            json!(number)
        );
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    assert!(read_strict(nested(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(bad(&nested(MAX_DEPTH + 1)), BadJson::TooDeep);
    assert_eq!(bad(&"{\"a\":".repeat(MAX_DEPTH + 1)), BadJson::TooDeep);
    assert_eq!(bad(&"[".repeat(1_000_000)), BadJson::TooDeep);
}

#[test]
fn what_is_not_one_document_is_refused() {
    for text in [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":1,}",
        "{'a':1}",
        "1 2",
        "{} x",
        "nul",
        "01",
        "+1",
        "NaN",
        "// x\n1",
        "\"\n\"",
        "\"\\x\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\ud800\\u0041\"",
        "{1:2}",
        "\u{feff}{}",
    ] {
        assert!(
            matches!(bad(text), BadJson::Syntax(_)),
            "{text:?}: {:?}",
            bad(text)
        );
    }
    assert_eq!(
        bad("\u{feff}{}").to_string(),
        "starts with a byte order mark; plain UTF-8 without one is expected"
    );
    assert_eq!(
        read_strict(b"[\"\xff\"]").unwrap_err(),
        BadJson::Syntax("byte 2 is not valid UTF-8".into())
    );
    assert!(bad("{\n\"a\": }").to_string().contains("line 2"));
    assert_eq!(read_strict(b" \n{} \t").unwrap(), json!({}));
}

#[test]
fn another_form_of_the_same_value_is_not_canonical() {
    for text in [
        r#"{"b":1,"a":2}"#,
        "[1, 2]",
        "[1]\n",
        r#""\u0041""#,
        r#""\/""#,
        r#""\u001F""#,
        // U+1F600 is written with surrogates, which come before U+FB01.
        "{\"\u{fb01}\":1,\"\u{1f600}\":2}",
        r#"[{"a":{"b":1,"a":2}}]"#,
    ] {
        assert_eq!(
            from_canonical::<Value>(text.as_bytes()).unwrap_err(),
            BadJson::NotCanonical,
            "{text}"
        );
    }
    assert!(matches!(
        from_canonical::<Vec<u32>>(b"{}"),
        Err(BadJson::Shape(_))
    ));
}

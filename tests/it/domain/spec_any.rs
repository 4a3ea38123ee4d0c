//! Whatever comes in as a spec is read or refused, never a panic.

use super::spec::{document, read};
use git_rapid::domain::spec::{read_json, template_json};
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        any::<String>(),
        prop::sample::select(vec![
            "T001", "T002", "src/**", "/x", "&&", "feature", "fix", "", "none"
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        word.prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "text",
        "check",
        "description",
        "paths",
        "checks",
        "after",
        "minutes",
        "attempts",
        "argv",
        "cwd",
        "clear",
        "bounded",
        "bytes",
        "x",
    ]);
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Err(faults) = read_json(&bytes) {
            prop_assert!(!faults.is_empty());
        }
    }

    #[test]
    fn any_document_is_read_or_refused_with_places(
        fields in prop::collection::btree_map(
            prop::sample::select(vec![
                "title", "mode", "scope", "data_impact", "affected_paths", "acceptance_criteria",
                "implementation_tasks", "open_questions", "change", "tags", "test_command", "nope",
            ]),
            any_json(),
            0..12,
        )
    ) {
        let document = document(json!(fields));
        match read(&document) {
            Ok(spec) => prop_assert_eq!(read(&template_json(&spec)).unwrap(), spec),
            Err(faults) => {
                prop_assert!(!faults.is_empty());
                for fault in faults {
                    let parent = fault.at.rsplit_once('/').map_or("", |(parent, _)| parent);
                    prop_assert!(document.pointer(parent).is_some(), "{}", fault.at);
                }
            }
        }
    }
}

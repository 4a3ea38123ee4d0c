use git_rapid::{domain::record::RecordType, ledger::RecordName};
use proptest::prelude::*;

const RIGHT: &str = "records/0000/000007-5c2d10ffa3b19c44.evidence.json";

#[test]
fn the_right_form_is_read_and_written_back() {
    let name = RecordName::parse(RIGHT.as_bytes()).unwrap();
    assert_eq!(name.seq, 7);
    assert_eq!(name.digest, "5c2d10ffa3b19c44");
    assert_eq!(name.kind, RecordType::Evidence);
    assert_eq!(name.path(), RIGHT);
    assert_eq!(name.stem(), "000007-5c2d10ffa3b19c44.evidence");
    assert_eq!(RecordName::parse_stem(&name.stem()), Some(name));
}

#[test]
fn large_numbers_grow_and_never_wrap() {
    for (seq, path) in [
        (
            100,
            "records/0001/000100-5c2d10ffa3b19c44.spec.revision.json",
        ),
        (
            999_999,
            "records/9999/999999-5c2d10ffa3b19c44.spec.revision.json",
        ),
        (
            1_000_000,
            "records/10000/1000000-5c2d10ffa3b19c44.spec.revision.json",
        ),
    ] {
        let name = RecordName::parse(path.as_bytes()).unwrap();
        assert_eq!((name.seq, name.path()), (seq, path.to_owned()));
    }
}

#[test]
fn every_other_form_is_refused() {
    for wrong in [
        "",
        "records",
        "records/",
        "records/0000",
        "records/0000/",
        "/records/0000/000007-5c2d10ffa3b19c44.evidence.json",
        "Records/0000/000007-5c2d10ffa3b19c44.evidence.json",
        "records/0001/000007-5c2d10ffa3b19c44.evidence.json",
        "records/000/000007-5c2d10ffa3b19c44.evidence.json",
        "records/00000/000007-5c2d10ffa3b19c44.evidence.json",
        "records/0000/7-5c2d10ffa3b19c44.evidence.json",
        "records/0000/0000007-5c2d10ffa3b19c44.evidence.json",
        "records/0000/+00007-5c2d10ffa3b19c44.evidence.json",
        "records/0000/-00007-5c2d10ffa3b19c44.evidence.json",
        "records/0000/000000-5c2d10ffa3b19c44.evidence.json",
        "records/0000/000007-5C2D10FFA3B19C44.evidence.json",
        "records/0000/000007-5c2d10ffa3b19c4.evidence.json",
        "records/0000/000007-5c2d10ffa3b19c444.evidence.json",
        "records/0000/000007-5c2d10ffa3b19cxx.evidence.json",
        "records/0000/000007-5c2d10ffa3b19c44.other.json",
        "records/0000/000007-5c2d10ffa3b19c44.json",
        "records/0000/000007-5c2d10ffa3b19c44.evidence",
        "records/0000/000007-5c2d10ffa3b19c44.evidence.JSON",
        "records/0000/000007-5c2d10ffa3b19c44.evidence.json.json",
        "records/0000/000007-5c2d10ffa3b19c44.evidence.json\n",
        "records/0000/000007 -5c2d10ffa3b19c44.evidence.json",
        "records/0000/x/000007-5c2d10ffa3b19c44.evidence.json",
        "records/9999/99999999999999999999999-5c2d10ffa3b19c44.evidence.json",
    ] {
        assert_eq!(RecordName::parse(wrong.as_bytes()), None, "{wrong:?}");
    }
    assert_eq!(
        RecordName::parse(b"records/0000/000007-\xff.evidence.json"),
        None
    );
}

proptest! {
    #[test]
    fn what_is_read_is_written_back_the_same(path in "records/[0-9]{3,5}/[0-9]{5,8}-[0-9a-f]{15,17}\\.(event|contract)\\.json") {
        if let Some(name) = RecordName::parse(path.as_bytes()) {
            prop_assert_eq!(name.path(), path);
        }
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let _ = RecordName::parse(&bytes);
        let _ = RecordName::parse_stem(&String::from_utf8_lossy(&bytes));
    }
}

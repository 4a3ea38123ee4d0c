//! What is taken out of kept output, and what is left alone.

use git_rapid::check::{MARK, Redactor, Secrets};
use proptest::prelude::*;
use std::ffi::OsString;

const TOKEN: &str = "abcdef123456";
const KEY: &str =
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx\nAAA=\n-----END RSA PRIVATE KEY-----";

fn secrets(environment: &[(&str, &str)]) -> Secrets {
    let environment: Vec<(OsString, OsString)> = environment
        .iter()
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    Secrets::of(&environment)
}

fn take_out(environment: &[(&str, &str)], text: &str) -> String {
    let (kept, found) = secrets(environment).take_out(text.as_bytes());
    let kept = String::from_utf8(kept).unwrap();
    assert_eq!(found, kept != text, "{text}");
    kept
}

/// Redacts in pieces of these sizes, over and over.
fn in_pieces(secrets: &Secrets, text: &[u8], sizes: &[usize]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut redactor = Redactor::new(secrets.clone());
    let (mut rest, mut sizes) = (text, sizes.iter().cycle());
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
        redactor.push(piece, &mut |bytes| kept.extend_from_slice(bytes));
        rest = later;
    }
    redactor.finish(&mut |bytes| kept.extend_from_slice(bytes));
    kept
}

/// Tokens of the listed forms, put together so that no scanner takes this file for a leak.
fn tokens() -> Vec<String> {
    let body = "Ab1".repeat(40);
    let upper = "A1B2".repeat(20);
    let hex = "0a1b".repeat(20);
    let of = |prefix: &str, body: &str, length: usize| format!("{prefix}{}", &body[..length]);
    vec![
        of("ghp_", &body, 36),
        of("github_pat_", &body, 82),
        of("glpat-", &body, 20),
        of("AKIA", &upper, 16),
        of("xoxb-", &body, 40),
        of("npm_", &body, 36),
        of("pypi-AgE", &body, 80),
        of("AIza", &body, 35),
        of("sk_live_", &body, 24),
        of("dop_v1_", &hex, 64),
        format!("eyJ{0}.eyJ{0}.{0}", &body[..30]),
    ]
}

#[test]
fn a_token_goes_as_a_whole_wherever_it_stands() {
    for token in tokens() {
        for (before, after) in [
            ("", ""),
            ("token: ", "\n"),
            ("https://x:", "@host/a"),
            ("\x1b[32m", "\x1b[0m"),
            ("T=\"", "\","),
        ] {
            let kept = take_out(&[], &format!("{before}{token}{after}"));
            assert_eq!(kept, format!("{before}[redacted]{after}"), "{token}");
        }
        let cut = &token[..token.len().min(12)];
        assert_eq!(take_out(&[], cut), cut, "the begin of a token is none");
    }
}

#[test]
fn values_are_secret_by_their_variables_name() {
    for name in [
        "MY_TOKEN",
        "TOKEN",
        "TOKEN_2",
        "GITHUB_TOKEN",
        "DB_PASSWORD",
        "API_KEY",
        "my_secret",
        "AWS_SECRET_ACCESS_KEY",
        "APP_CREDENTIALS",
        "MYSQL_PWD",
    ] {
        assert_eq!(take_out(&[(name, TOKEN)], TOKEN), "[redacted]", "{name}");
    }
    for name in [
        "HOME_TOWN",
        "TOKENIZERS",
        "MONKEY",
        "KEYBOARD",
        "TOKEN_FILE",
        "SECRET_NAME",
        "PWD",
        "OLDPWD",
        "SSH_AUTH_SOCK",
    ] {
        assert_eq!(take_out(&[(name, TOKEN)], TOKEN), TOKEN, "{name}");
    }
    let url = [("DATABASE_URL", "postgres://me:s3cretpass@db/x")];
    assert_eq!(
        take_out(&url, "as s3cretpass, on db"),
        "as [redacted], on db"
    );
}

#[test]
fn short_common_and_path_like_values_are_left_alone() {
    for value in [
        "LIVE",
        "a1b2c3d",
        "disabled",
        "Required",
        "12345678",
        "********",
        "/run/secrets/token",
        "~/.config/token",
        "changeme",
        "",
    ] {
        assert_eq!(take_out(&[("A_TOKEN", value)], value), value);
    }
    let base64 = "/Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0";
    assert_eq!(take_out(&[("A_KEY", base64)], base64), "[redacted]");
}

#[test]
fn overlapping_values_become_one_mark() {
    let environment = [("A_TOKEN", "abcdefgh12345678"), ("B_TOKEN", "12345678zzzz")];
    assert_eq!(
        take_out(&environment, "<abcdefgh12345678zzzz>"),
        "<[redacted]>"
    );
}

#[test]
fn key_blocks_go_as_a_whole_and_other_blocks_stay() {
    assert_eq!(
        take_out(&[], &format!("a\n{KEY}\nb\n")),
        "a\n[redacted]\nb\n"
    );
    let escaped = KEY.replace('\n', "\\n");
    assert_eq!(
        take_out(&[], &format!("K='{escaped}' ok")),
        "K='[redacted]' ok"
    );
    let public = KEY.replace("RSA PRIVATE", "PUBLIC");
    assert_eq!(take_out(&[], &public), public);
    // The end is missing: as far as it looks like a key.
    let cut = "-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEAx\nMIIEowIBAAKCAQEAx\n2 passed\n";
    assert_eq!(take_out(&[], cut), "[redacted]\n2 passed\n");
    let spoken = "no -----BEGIN PRIVATE KEY----- found\n1 failed\n";
    assert_eq!(take_out(&[], spoken), "no [redacted] found\n1 failed\n");
}

#[test]
fn a_variables_lines_are_secret_one_by_one() {
    let environment = [("DEPLOY_KEY", KEY)];
    assert_eq!(
        take_out(&environment, "  MIIEowIBAAKCAQEAx\n"),
        "  [redacted]\n"
    );
}

#[test]
fn secrets_across_the_blocks_it_works_in_are_found() {
    let secrets = secrets(&[("A_TOKEN", TOKEN)]);
    let token = &tokens()[0];
    // Every byte of a secret lies on a border once, for every border there may be.
    for shift in 0..80 {
        let filler = "x\n".repeat(32 * 1024);
        let mut text = "-".repeat(shift);
        for _ in 0..6 {
            text += &filler;
            text += TOKEN;
            text += " ";
            text += token;
            text += "\n";
            text += KEY;
        }
        let (kept, _) = secrets.take_out(text.as_bytes());
        let wanted = text
            .replace(TOKEN, "[redacted]")
            .replace(token.as_str(), "[redacted]")
            .replace(KEY, "[redacted]");
        assert!(kept == wanted.as_bytes(), "shifted by {shift}");
    }
}

#[test]
fn a_token_without_end_is_one_mark_and_held_nowhere() {
    let text = format!("ghp_{} end", "a1".repeat(400 * 1024));
    assert_eq!(take_out(&[], &text), "[redacted] end");
}

#[test]
fn what_is_shown_of_the_patterns_is_not_what_they_are() {
    let shown = format!("{:?}", secrets(&[("A_TOKEN", TOKEN)]));
    assert!(
        !shown.contains(TOKEN) && shown.contains("patterns"),
        "{shown}"
    );
}

fn piece() -> impl Strategy<Value = String> {
    let mut pieces = tokens();
    pieces.extend(
        [
            TOKEN,
            KEY,
            "-----BEGIN PRIVATE KEY-----",
            "-----END ",
            "-----",
            "eyJ",
            "ghp_",
            "abcdef",
            "123456",
            "\n",
            "MIIEowIBAAKCAQEAx",
        ]
        .map(str::to_owned),
    );
    prop_oneof![
        proptest::sample::select(pieces),
        "[ -~\n]{0,12}",
        (1_usize..70_000).prop_map(|count| "filler. ".repeat(count / 8)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_do_not_change_the_result(
        pieces in proptest::collection::vec(piece(), 0..24),
        sizes in proptest::collection::vec(1_usize..50_000, 1..8),
    ) {
        let secrets = secrets(&[("A_TOKEN", TOKEN)]);
        let text = pieces.concat();
        let (whole, _) = secrets.take_out(text.as_bytes());
        prop_assert!(whole == in_pieces(&secrets, text.as_bytes(), &sizes));
        let small = &text.as_bytes()[..text.len().min(4096)];
        prop_assert_eq!(secrets.take_out(small).0, in_pieces(&secrets, small, &[1]));
    }

    #[test]
    fn no_value_remains(pieces in proptest::collection::vec(piece(), 0..24)) {
        let secrets = secrets(&[("A_TOKEN", TOKEN)]);
        let (kept, found) = secrets.take_out(pieces.concat().as_bytes());
        let kept = String::from_utf8(kept).unwrap();
        prop_assert!(!kept.contains(TOKEN));
        prop_assert_eq!(found, kept.as_bytes().windows(MARK.len()).any(|at| at == MARK));
    }

    #[test]
    fn other_bytes_stay_as_they_are(text in proptest::collection::vec(any::<u8>(), 0..4096)) {
        let (kept, found) = secrets(&[("A_TOKEN", TOKEN)]).take_out(&text);
        prop_assert!(!found);
        prop_assert_eq!(kept, text);
    }
}

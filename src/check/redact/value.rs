//! Which values of an environment are secrets.
//!
//! The name says so (`MY_TOKEN`, `DB_PASSWORD`), and the value is long and not an ordinary
//! word, number or path: to take those out would tear logs apart and hide nothing.

use std::{ffi::OsString, os::unix::ffi::OsStrExt as _};

/// One of these, as a whole part of a name between `_`, says that the value is a secret.
const SECRET: &[&str] = &[
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "PASS",
    "PWD",
    "CREDENTIAL",
    "CREDENTIALS",
    "APIKEY",
    "KEY",
    "KEYS",
    "AUTH",
    "PAT",
    "COOKIE",
    "DSN",
    "JWT",
];
/// One of these at the end says that the value only speaks of a secret.
const ABOUT: &[&str] = &[
    "NAME", "TYPE", "FILE", "PATH", "DIR", "SOCK", "USER", "USERNAME", "HOST", "PORT", "ENABLED",
    "EXPIRY", "EXPIRES", "TTL", "LENGTH", "URL", "URI", "ENDPOINT", "REGION", "METHOD",
];
/// Shorter values are left alone.
const LEAST: usize = 8;
/// Letters of one case, or digits, are a word or a number up to this length.
const LEAST_PLAIN: usize = 12;
/// Of a value of several lines each line this long is a secret too.
const LEAST_LINE: usize = 16;
/// Longer values are looked for line by line only.
const MOST: usize = 32 * 1024;
/// Long enough, and still no secret.
const COMMON: &[&str] = &[
    "changeme",
    "placeholder",
    "development",
    "not-set",
    "localhost",
];

/// The values to look for, each once.
pub(super) fn secret_values(environment: &[(OsString, OsString)]) -> Vec<Vec<u8>> {
    let mut values = Vec::new();
    for (name, value) in environment {
        let value = value.as_bytes().trim_ascii();
        if let Some(password) = url_password(value) {
            values.extend(is_secret(password).then(|| password.to_vec()));
        } else if names_a_secret(name.as_bytes()) {
            if value.len() <= MOST && is_secret(value) {
                values.push(value.to_vec());
            }
            if value.contains(&b'\n') {
                let lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
                values.extend(
                    lines
                        .filter(|line| (LEAST_LINE..=MOST).contains(&line.len()))
                        .filter(|line| !line.starts_with(b"-----") && is_secret(line))
                        .map(<[u8]>::to_vec),
                );
            }
        }
    }
    values.sort();
    values.dedup();
    values
}

fn names_a_secret(name: &[u8]) -> bool {
    let name = name.to_ascii_uppercase();
    // The working directory, which the shell keeps.
    if name == b"PWD" || name == b"OLDPWD" {
        return false;
    }
    let mut parts = name
        .split(|byte| matches!(byte, b'_' | b'-' | b'.'))
        .map(|part| part.trim_ascii());
    let is_one = |list: &[&str], part: &[u8]| list.iter().any(|word| word.as_bytes() == part);
    parts.clone().any(|part| is_one(SECRET, part))
        && !parts.next_back().is_some_and(|last| is_one(ABOUT, last))
}

fn is_secret(value: &[u8]) -> bool {
    let plain = value.iter().all(u8::is_ascii_digit)
        || value.iter().skip(1).all(u8::is_ascii_lowercase)
        || value.iter().all(u8::is_ascii_uppercase);
    let lower = value.to_ascii_lowercase();
    value.len() >= LEAST
        && !(plain && value.len() < LEAST_PLAIN)
        && value.iter().any(|byte| *byte != value[0])
        && !COMMON.iter().any(|word| word.as_bytes() == lower)
        && !is_path(value)
}

/// A path, unless a part of it is too wild for one: keys in base64 may begin with `/`.
fn is_path(value: &[u8]) -> bool {
    let begins = [b"/".as_slice(), b"./", b"../", b"~", b"file:"];
    let wild = |part: &[u8]| {
        part.len() >= 16
            && part.iter().any(u8::is_ascii_lowercase)
            && part.iter().any(u8::is_ascii_uppercase)
            && part.iter().any(u8::is_ascii_digit)
    };
    begins.iter().any(|begin| value.starts_with(begin))
        && !value.split(|byte| *byte == b'/').any(wild)
}

/// The password in `scheme://user:password@host`.
fn url_password(value: &[u8]) -> Option<&[u8]> {
    let scheme = value.windows(3).position(|window| window == b"://")?;
    let rest = &value[scheme + 3..];
    let authority = rest
        .split(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .next()?;
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let user = &authority[..at];
    let colon = user.iter().position(|byte| *byte == b':')?;
    Some(&user[colon + 1..])
}

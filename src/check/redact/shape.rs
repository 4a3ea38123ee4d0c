//! Tokens that show by their shape: a prefix their maker chose so that they can be found.
//!
//! Only shapes that ordinary output does not have by chance are listed. What follows the
//! prefix must be long enough; what is longer than that belongs to the token as far as
//! its characters go.

/// A form of token.
#[derive(Debug)]
pub(super) struct Shape {
    /// How it begins.
    pub(super) prefix: &'static str,
    charset: Charset,
    length: Length,
    /// Whether no letter or digit may stand before it.
    alone: bool,
}

/// What a token is made of after its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Charset {
    /// Letters and digits.
    Alnum,
    /// Those and `_`.
    Word,
    /// Those, `_` and `-`.
    Dashed,
    /// Those, `_`, `-` and `.`.
    Dotted,
    /// Capital letters and digits.
    Upper,
    /// `0` to `9` and `a` to `f`.
    Hex,
}

#[derive(Clone, Copy, Debug)]
enum Length {
    /// At least so many.
    Least(usize),
    /// Exactly so many.
    Exact(usize),
    /// A JSON web token: two or three parts, each at least so long, the second an object too.
    Jwt(usize),
}

impl Charset {
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dashed => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
        }
    }
}

const fn least(prefix: &'static str, charset: Charset, length: usize) -> Shape {
    Shape {
        prefix,
        charset,
        length: Length::Least(length),
        alone: false,
    }
}

const fn exact(prefix: &'static str, charset: Charset, length: usize) -> Shape {
    Shape {
        prefix,
        charset,
        length: Length::Exact(length),
        alone: true,
    }
}

use Charset::{Alnum, Dashed, Dotted, Hex, Upper, Word};

/// All known forms; no prefix begins another one.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // GitHub
    least("ghp_", Alnum, 30),
    least("gho_", Alnum, 30),
    least("ghu_", Alnum, 30),
    least("ghs_", Alnum, 30),
    least("ghr_", Alnum, 30),
    least("github_pat_", Word, 36),
    // GitLab: personal, deploy, runner, trigger, job, feed
    least("glpat-", Dotted, 20),
    least("gldt-", Dotted, 20),
    least("glrt-", Dotted, 20),
    least("glptt-", Dotted, 20),
    least("glcbt-", Dotted, 20),
    least("glft-", Dotted, 20),
    // Amazon: long-lived and temporary access key ids
    exact("AKIA", Upper, 16),
    exact("ASIA", Upper, 16),
    // Google: API key, OAuth access token and client secret
    exact("AIza", Dashed, 35),
    least("ya29.", Dashed, 30),
    least("GOCSPX-", Dashed, 20),
    // Slack: bot, user, app, configuration, refresh, legacy
    least("xoxa-", Dashed, 16),
    least("xoxb-", Dashed, 16),
    least("xoxc-", Dashed, 16),
    least("xoxd-", Dashed, 16),
    least("xoxe-", Dashed, 16),
    least("xoxp-", Dashed, 16),
    least("xoxr-", Dashed, 16),
    least("xoxs-", Dashed, 16),
    least("xapp-", Dashed, 16),
    // Stripe
    least("sk_live_", Alnum, 16),
    least("rk_live_", Alnum, 16),
    least("whsec_", Alnum, 24),
    // Package registries
    least("npm_", Alnum, 36),
    least("pypi-AgE", Dashed, 40),
    least("rubygems_", Hex, 40),
    least("dckr_pat_", Dashed, 20),
    // Others
    least("SG.", Dotted, 60),
    least("dop_v1_", Hex, 60),
    least("hvs.", Dashed, 24),
    least("shpat_", Hex, 32),
    least("sk-ant-", Dashed, 24),
    least("sk-proj-", Dashed, 24),
    least("AGE-SECRET-KEY-1", Upper, 50),
    // Anyone's JSON web token
    Shape { prefix: "eyJ", charset: Dashed, length: Length::Jwt(10), alone: false },
];

/// How long the first part of a web token may be.
const MOST_HEADER: usize = 1024;

/// How many bytes from the begin of a token decide whether it is one, at most.
pub(super) const REACH: usize = MOST_HEADER + 64;

/// How many bytes before a token matter to it.
pub(super) const LOOK_BEHIND: usize = 32;

impl Shape {
    /// What the token goes on with after what decided about it.
    pub(super) fn goes_on(&self) -> Option<Charset> {
        match self.length {
            Length::Least(_) => Some(self.charset),
            Length::Exact(_) => None,
            Length::Jwt(_) => Some(Charset::Dotted),
        }
    }
}

/// Where the decisive part of a token of this shape that begins at `start` ends; none when
/// there is no such token.
pub(super) fn end(shape: &Shape, text: &[u8], start: usize) -> Option<usize> {
    if shape.alone && !stands_alone(&text[..start]) {
        return None;
    }
    let body = start + shape.prefix.len();
    let run = |from: usize, most: usize| {
        let rest = &text[from.min(text.len())..];
        rest.iter()
            .take(most)
            .take_while(|byte| shape.charset.has(**byte))
            .count()
    };
    match shape.length {
        Length::Least(least) => (run(body, least) == least).then_some(body + least),
        Length::Exact(exact) => (run(body, exact + 1) == exact).then_some(body + exact),
        Length::Jwt(least) => {
            let header = run(body, MOST_HEADER);
            let dot = body + header;
            let second = [b".", shape.prefix.as_bytes()].concat();
            let payload = dot + second.len();
            (header >= least && text[dot..].starts_with(&second) && run(payload, least) == least)
                .then_some(payload + least)
        }
    }
}

/// Whether a word can begin after `before`: at the begin, after anything but a letter or
/// digit, and after a colour code.
fn stands_alone(before: &[u8]) -> bool {
    let Some((last, rest)) = before.split_last() else {
        return true;
    };
    if !last.is_ascii_alphanumeric() {
        return true;
    }
    let rest = &rest[rest.len().saturating_sub(LOOK_BEHIND - 1)..];
    let code = rest
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'))
        .count();
    *last == b'm' && rest[..rest.len() - code].ends_with(b"\x1b[")
}

//! Who commits, as git knows them.
//!
//! Git guesses a name from the account and an address from the host when nothing is set.
//! Here nothing is guessed: a record that says who must be right or not written.

use super::{Error, Repository};
use crate::domain::bytes::ByteText;
use gix::date::Time;
use jiff::{Timestamp, tz::TimeZone};
use std::os::unix::ffi::OsStrExt;

/// A name, an address and a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: ByteText,
    /// The address.
    pub email: ByteText,
    /// Seconds since 1970.
    pub seconds: i64,
    /// Offset from UTC in seconds.
    pub offset: i32,
}

const ADVICE: &str = "please tell git who you are: \
    git config --global user.email \"you@example.com\" and \
    git config --global user.name \"Your Name\" \
    (without --global: for this repository only)";

impl Repository {
    /// The committer as git would write it: `GIT_COMMITTER_*`, then config (`committer.*`,
    /// `user.*`), for the address also `EMAIL` unless `user.useConfigOnly` is set; the
    /// moment from `GIT_COMMITTER_DATE` or the clock. Without a name, git's own advice.
    pub fn committer(&self) -> Result<Identity, Error> {
        let no = |text: &str| Error::NoIdentity(text.to_owned());
        let time = self.moment()?;
        let name = self
            .variable("GIT_COMMITTER_NAME")
            .or_else(|| self.config_bytes("committer.name"))
            .or_else(|| self.config_bytes("user.name"))
            .ok_or_else(|| no(ADVICE))?;
        if name.is_empty() {
            return Err(no("an empty name is not allowed"));
        }
        let name = without_crud(&name);
        if name.is_empty() {
            return Err(no("the name consists only of characters that git drops"));
        }
        let email = self
            .variable("GIT_COMMITTER_EMAIL")
            .or_else(|| self.config_bytes("committer.email"))
            .or_else(|| self.config_bytes("user.email"))
            .or_else(|| self.email_variable())
            .ok_or_else(|| no(ADVICE))?;
        Ok(Identity {
            name: ByteText(name),
            email: ByteText(without_crud(&email)),
            seconds: time.seconds,
            offset: time.offset,
        })
    }

    /// Who a reflog entry names: the committer, or nobody. A reflog proves nothing, so a
    /// missing name does not keep a ref from moving, as in git.
    pub(super) fn reflog_identity(&self) -> Identity {
        self.committer().unwrap_or_else(|_| {
            let time = self.now();
            Identity {
                name: "nobody".into(),
                email: "nobody@localhost".into(),
                seconds: time.seconds,
                offset: time.offset,
            }
        })
    }

    fn moment(&self) -> Result<Time, Error> {
        let Some(text) = self.environment.get("GIT_COMMITTER_DATE") else {
            return Ok(self.now());
        };
        text.to_str()
            .and_then(|text| gix::date::parse(text, None).ok())
            .ok_or_else(|| {
                Error::NoIdentity(format!(
                    "GIT_COMMITTER_DATE has an invalid date format: {}",
                    text.to_string_lossy()
                ))
            })
    }

    /// This moment, with the local offset from UTC.
    ///
    /// gix looks the zone up by its name, and reads every folder of the zone database for
    /// that. Where `TZ` names none, `/etc/localtime` holds the zone's rules themselves.
    fn now(&self) -> Time {
        let zone = match self.environment.raw("TZ") {
            Some(_) => None,
            None => std::fs::read("/etc/localtime")
                .ok()
                .and_then(|rules| TimeZone::tzif("", &rules).ok()),
        };
        let Some(zone) = zone else {
            return Time::now_local_or_utc();
        };
        let now = Time::now_utc();
        let offset = Timestamp::from_second(now.seconds)
            .map_or(0, |moment| zone.to_offset(moment).seconds());
        Time { offset, ..now }
    }

    fn variable(&self, name: &str) -> Option<Vec<u8>> {
        self.environment
            .raw(name)
            .map(|value| value.as_bytes().to_vec())
    }

    fn email_variable(&self) -> Option<Vec<u8>> {
        let config_only = self.config_bool("user.useConfigOnly") == Some(true);
        self.environment
            .get("EMAIL")
            .filter(|_| !config_only)
            .map(|value| value.as_bytes().to_vec())
    }

    fn config_bytes(&self, key: &str) -> Option<Vec<u8>> {
        self.config(key).map(|value| value.0)
    }
}

/// What git removes from names and addresses: characters that would break a commit's
/// header anywhere, and quotes, punctuation and spaces around.
fn without_crud(text: &[u8]) -> Vec<u8> {
    let crud = |byte: &u8| *byte <= b' ' || b",:;<>\"\\'".contains(byte);
    let start = text.iter().position(|byte| !crud(byte));
    let end = text.iter().rposition(|byte| !crud(byte));
    let (Some(start), Some(end)) = (start, end) else {
        return Vec::new();
    };
    text[start..=end]
        .iter()
        .copied()
        .filter(|byte| !b"\n<>\0".contains(byte))
        .collect()
}

impl Identity {
    /// `Name <address>`.
    pub fn signature(&self) -> ByteText {
        let mut text = self.name.0.clone();
        text.extend_from_slice(b" <");
        text.extend_from_slice(&self.email.0);
        text.push(b'>');
        ByteText(text)
    }

    /// The same for gix.
    pub(super) fn actor(&self) -> gix::actor::Signature {
        gix::actor::Signature {
            name: self.name.0.clone().into(),
            email: self.email.0.clone().into(),
            time: Time {
                seconds: self.seconds,
                offset: self.offset,
            },
        }
    }
}

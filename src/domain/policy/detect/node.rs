//! Node projects: the script `test`, run with the package manager whose lock file is there.

use super::{Detected, Read, detected};
use serde_json::Value;

/// What npm writes into a new package: it fails and tests nothing.
const PLACEHOLDER: &str = "no test specified";

pub(super) fn detect(read: Read<'_>) -> Option<Detected> {
    let package: Value = serde_json::from_slice(&read("package.json")?).ok()?;
    let script = package.pointer("/scripts/test")?.as_str()?;
    if script.trim().is_empty() || script.contains(PLACEHOLDER) {
        return None;
    }
    // `packageManager` is `<name>@<version>`; a lock file tells the same of older projects.
    let named = package["packageManager"].as_str().unwrap_or_default();
    let manager = named.split('@').next().filter(|name| !name.is_empty());
    let mut uses = |name: &str, locks: &[&str]| match manager {
        Some(own) => own == name,
        None => locks.iter().any(|lock| read(lock).is_some()),
    };
    let argv: &[&str] = if uses("pnpm", &["pnpm-lock.yaml"]) {
        &["pnpm", "test"]
    } else if uses("yarn", &["yarn.lock"]) {
        &["yarn", "test"]
    } else if uses("bun", &["bun.lock", "bun.lockb"]) {
        // `bun test` would be bun's own runner, not the script.
        &["bun", "run", "test"]
    } else {
        &["npm", "test"]
    };
    Some(detected("package.json", argv))
}

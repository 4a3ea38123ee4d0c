//! Random bytes from the operating system.

/// `N` random bytes.
///
/// # Panics
/// When the operating system has no randomness to give: a ledger must not make up ids then.
pub(super) fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    bytes
}

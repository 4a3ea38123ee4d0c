//! Output kept within a bound: the head and the tail, and how much was dropped between.

/// Output of bounded size.
#[derive(Clone, Debug, Default)]
pub struct CappedLog {
    /// The kept bytes, with one line that says how much was dropped where something was.
    pub bytes: Vec<u8>,
    /// How many bytes were dropped.
    pub dropped: u64,
}

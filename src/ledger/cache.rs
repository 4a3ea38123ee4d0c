//! The fold cache: a stream's canonical records in one file, keyed by its tip. May be thrown away at any time.

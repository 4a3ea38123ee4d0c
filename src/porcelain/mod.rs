//! The verbs: load, decide, apply, tell. One file each.
//!
//! A verb takes a context and a request and gives an outcome, a value that the
//! command line renders for people or as JSON. It reads and writes; it does not print,
//! and it does not read the environment or the wall clock.

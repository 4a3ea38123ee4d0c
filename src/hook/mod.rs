//! What git calls. Parses what the caller sends and asks a verb or a rule.
//!
//! Not to be confused with the top-level `hooks/`, which holds the shell shims.

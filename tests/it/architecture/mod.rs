//! The house rules that a compiler does not know: floors, borders, sizes, wiring.

mod floors;
mod source;
mod tree;

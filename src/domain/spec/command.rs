//! Commands in a spec are lists of words that no shell reads.

use crate::domain::bytes::ByteText;

/// Words that mean something to a shell and nothing to a program.
const OPERATORS: &[&str] = &[
    "&&", "||", "|", "|&", ";", "&", "<", "<<", "<<<", ">", ">>", ">|", "&>", "&>>", "2>", "2>>",
    "2>&1", "1>&2", ">&2",
];

/// The first word of a command that only a shell would understand. The command needs
/// `sh -c '…'` around it then.
pub fn shell_operator(argv: &[ByteText]) -> Option<&'static str> {
    argv.iter()
        .find_map(|word| OPERATORS.iter().find(|sign| sign.as_bytes() == word.0))
        .copied()
}

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

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCommand {
    /// A shell's operator in a command that no shell reads.
    #[error("{0} needs a shell, and none reads this")]
    Operator(&'static str),
    /// A quote that is not closed.
    #[error("a quote is not closed")]
    Quote,
    /// No word at all.
    #[error("a command has at least one word")]
    NoWord,
}

/// Signs that only a shell gives a meaning, longest first.
const SIGNS: &[&str] = &["&&", "||", ">>", "<<", "&", "|", ";", "<", ">"];

/// The POSIX words of a line such as `--test-command` and `rapid.testCommand` hold.
pub fn command_words(line: &str) -> Result<Vec<ByteText>, BadCommand> {
    if let Some(sign) = sign_in(line) {
        return Err(BadCommand::Operator(sign));
    }
    let words = shell_words::split(line).map_err(|_| BadCommand::Quote)?;
    if words.first().is_none_or(String::is_empty) {
        return Err(BadCommand::NoWord);
    }
    Ok(words.into_iter().map(ByteText::from).collect())
}

/// The first sign outside quotes.
fn sign_in(line: &str) -> Option<&'static str> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, _) => {
                let found = SIGNS.iter().find(|sign| line[at..].starts_with(**sign));
                if found.is_some() {
                    return found.copied();
                }
            }
            _ => {}
        }
    }
    None
}

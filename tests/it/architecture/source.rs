//! Source files as the house rules look at them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One source file.
pub struct Source {
    /// Its path below the package's root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Its text without comments, with the content of strings blanked.
    pub code: String,
}

/// The package's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below a folder of the package, sorted.
pub fn rust_files(folder: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                // The fuzz targets are a package of their own.
                if !path.ends_with("tests/fuzz") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    assert!(!paths.is_empty(), "no source below {folder}");
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let relative = path.strip_prefix(root()).unwrap();
    Source {
        path: relative.to_str().unwrap().replace('\\', "/"),
        code: code_of(&text),
        text,
    }
}

/// Blanks comments and the content of string and character literals; keeps the lines.
pub fn code_of(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut last = ' ';
    while let Some(first) = rest.chars().next() {
        let word = last.is_alphanumeric() || last == '_';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |at| at + 2)
        } else if let Some(hashes) = raw_string(rest).filter(|_| !word) {
            let close = format!("\"{}", "#".repeat(hashes));
            let open = rest.find('"').unwrap() + 1;
            rest[open..]
                .find(&close)
                .map_or(rest.len(), |at| open + at + close.len())
        } else if first == '"' {
            quoted(rest, '"')
        } else if first == '\'' && is_character(rest) {
            quoted(rest, '\'')
        } else {
            out.push(first);
            last = first;
            rest = &rest[first.len_utf8()..];
            continue;
        };
        // Something must stand there, so that words beside it do not grow together.
        out.push(' ');
        out.extend(rest[..length].chars().filter(|c| *c == '\n'));
        last = ' ';
        rest = &rest[length..];
    }
    out
}

fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character literal, not a lifetime.
fn is_character(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    match chars.next() {
        Some('\\') => true,
        Some(_) => chars.next() == Some('\''),
        None => false,
    }
}

#[test]
fn comments_and_strings_are_no_code() {
    let code = code_of("a; // crate::x\nb(\"crate::y\", 'c', r#\"\"z\"#); fn f<'a>() {} /* d */ e");
    assert!(!code.contains("crate"), "{code}");
    assert!(!code.contains('z') && !code.contains('d'), "{code}");
    assert!(
        code.contains("fn f<'a>() {}") && code.ends_with('e'),
        "{code}"
    );
    assert_eq!(code.lines().count(), 2);
}

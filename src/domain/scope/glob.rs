//! Git's wildcards over bytes, without backtracking.
//!
//! Written here because git's reading has corners of its own: a bracket never
//! matches `/`, braces are letters, POSIX classes work, an unfinished bracket
//! matches nothing, and `a**` crosses slashes because git looks at the pattern only
//! from its first wildcard on. All states advance together over the path, so the time
//! is at most pattern length times path length, whatever the pattern.

use super::pattern::is_special;

/// A pattern with at least one wildcard.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    head: Vec<u8>,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug)]
enum Token {
    /// This byte.
    Byte(u8),
    /// `?`: any byte but `/`.
    One,
    /// `[…]`: one of these bytes, never `/`.
    Class(Box<[bool; 256]>),
    /// `*`: any bytes but `/`.
    Star,
    /// `**` at the end: any bytes.
    Rest,
    /// `**/`: nothing, or any bytes and a `/`.
    Folders,
}

impl Glob {
    /// `None` when the pattern has no wildcard, or when its wildcards can match nothing
    /// (an unfinished bracket or escape).
    pub(super) fn new(pattern: &[u8]) -> Option<Self> {
        let head = pattern.iter().position(|byte| is_special(*byte))?;
        Some(Self {
            head: pattern[..head].to_vec(),
            tokens: tokens(&pattern[head..])?,
        })
    }

    /// Whether the whole path matches.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let Some(rest) = path.strip_prefix(self.head.as_slice()) else {
            return false;
        };
        let mut now = States::new(self.tokens.len());
        self.enter(&mut now, 0);
        for byte in rest {
            let mut next = States::new(self.tokens.len());
            self.step(&now, &mut next, *byte);
            now = next;
        }
        now.at[self.tokens.len()]
    }

    /// Puts a state before token `at`, and behind it when it can match nothing.
    fn enter(&self, states: &mut States, mut at: usize) {
        while !states.at[at] {
            states.at[at] = true;
            match self.tokens.get(at) {
                Some(Token::Star | Token::Rest | Token::Folders) => at += 1,
                _ => return,
            }
        }
    }

    fn step(&self, now: &States, next: &mut States, byte: u8) {
        for (at, token) in self.tokens.iter().enumerate() {
            let fresh = now.at[at];
            match token {
                Token::Byte(own) if fresh && *own == byte => self.enter(next, at + 1),
                Token::One if fresh && byte != b'/' => self.enter(next, at + 1),
                Token::Class(set) if fresh && set[usize::from(byte)] => self.enter(next, at + 1),
                Token::Star if fresh && byte != b'/' => self.enter(next, at),
                Token::Rest if fresh => self.enter(next, at),
                Token::Folders if fresh || now.inside[at] => {
                    next.inside[at] = true;
                    if byte == b'/' {
                        self.enter(next, at + 1);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Which tokens come next, all possibilities at once.
struct States {
    at: Vec<bool>,
    /// In the middle of a [`Token::Folders`], which ends at a slash only.
    inside: Vec<bool>,
}

impl States {
    fn new(tokens: usize) -> Self {
        Self {
            at: vec![false; tokens + 1],
            inside: vec![false; tokens],
        }
    }
}

fn tokens(pattern: &[u8]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        match byte {
            b'\\' => {
                tokens.push(Token::Byte(*pattern.get(at + 1)?));
                at += 2;
            }
            b'?' => {
                tokens.push(Token::One);
                at += 1;
            }
            b'[' => {
                let (set, end) = class(pattern, at + 1)?;
                tokens.push(Token::Class(set));
                at = end;
            }
            b'*' => {
                let stars = pattern[at..].iter().take_while(|b| **b == b'*').count();
                let opens = at == 0 || pattern[at - 1] == b'/';
                at += stars;
                let token = match &pattern[at..] {
                    [] if stars > 1 && opens => Token::Rest,
                    [b'/', ..] if stars > 1 && opens => {
                        at += 1;
                        Token::Folders
                    }
                    [b'\\', b'/', ..] if stars > 1 && opens => Token::Rest,
                    _ => Token::Star,
                };
                tokens.push(token);
            }
            byte => {
                tokens.push(Token::Byte(byte));
                at += 1;
            }
        }
    }
    Some(tokens)
}

/// The set of a bracket whose `[` lies before `at`, and where it ends.
fn class(pattern: &[u8], mut at: usize) -> Option<(Box<[bool; 256]>, usize)> {
    let mut set = Box::new([false; 256]);
    let negated = matches!(pattern.get(at), Some(b'!' | b'^'));
    at += usize::from(negated);
    let first = at;
    // The byte before a `-`, when it can open a range.
    let mut low: Option<u8> = None;
    loop {
        let byte = *pattern.get(at)?;
        if byte == b']' && at > first {
            break;
        }
        match byte {
            b'\\' => {
                at += 1;
                let literal = *pattern.get(at)?;
                set[usize::from(literal)] = true;
                low = Some(literal);
            }
            b'-' if low.is_some() && !matches!(pattern.get(at + 1), None | Some(b']')) => {
                at += 1;
                let mut high = pattern[at];
                if high == b'\\' {
                    at += 1;
                    high = *pattern.get(at)?;
                }
                for member in low.take().unwrap_or(high)..=high {
                    set[usize::from(member)] = true;
                }
            }
            b'[' if pattern.get(at + 1) == Some(&b':') => {
                let end = at + 2 + pattern[at + 2..].iter().position(|b| *b == b']')?;
                if end > at + 2 && pattern[end - 1] == b':' {
                    let test = posix(&pattern[at + 2..end - 1])?;
                    for member in 0..=u8::MAX {
                        set[usize::from(member)] |= test(member);
                    }
                    at = end;
                    low = None;
                } else {
                    set[usize::from(b'[')] = true;
                    low = Some(b'[');
                }
            }
            literal => {
                set[usize::from(literal)] = true;
                low = Some(literal);
            }
        }
        at += 1;
    }
    if negated {
        set.iter_mut().for_each(|member| *member = !*member);
    }
    set[usize::from(b'/')] = false;
    Some((set, at + 1))
}

fn posix(name: &[u8]) -> Option<fn(u8) -> bool> {
    Some(match name {
        b"alnum" => |b| b.is_ascii_alphanumeric(),
        b"alpha" => |b| b.is_ascii_alphabetic(),
        b"blank" => |b| b == b' ' || b == b'\t',
        b"cntrl" => |b| b.is_ascii_control(),
        b"digit" => |b| b.is_ascii_digit(),
        b"graph" => |b| b.is_ascii_graphic(),
        b"lower" => |b| b.is_ascii_lowercase(),
        b"print" => |b| b.is_ascii_graphic() || b == b' ',
        b"punct" => |b| b.is_ascii_punctuation(),
        // Git's own table: no vertical tab, no form feed.
        b"space" => |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => |b| b.is_ascii_uppercase(),
        b"xdigit" => |b| b.is_ascii_hexdigit(),
        _ => return None,
    })
}

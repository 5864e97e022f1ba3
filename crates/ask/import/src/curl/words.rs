//! Words of a POSIX shell, as far as command lines of curl use them.
//!
//! `shlex` splits one command and does not keep its lines. This reader also knows the lines (for
//! notes), where one command ends and the next begins, `$'...'` (as browsers write it in "copy as
//! cURL"), and what a shell would have expanded.

use crate::error::ImportError;

/// A word with its quotes removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub bytes: Vec<u8>,
    /// On which it begins, from 1.
    pub line: u64,
    /// It contains a variable or a command that only a shell could have replaced.
    pub unexpanded: bool,
}

/// The words between two ends of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Command {
    pub words: Vec<Word>,
}

/// Splits a script into its commands, one after another. After an error there are no more.
pub(super) fn commands(script: &[u8]) -> impl Iterator<Item = Result<Command, ImportError>> {
    let mut splitter = Splitter {
        script,
        at: 0,
        line: 1,
    };
    std::iter::from_fn(move || {
        let next = splitter.next_command();
        if next.is_err() {
            splitter.at = script.len();
        }
        next.transpose()
    })
}

struct Splitter<'a> {
    script: &'a [u8],
    at: usize,
    line: u64,
}

impl Splitter<'_> {
    /// The next command that has a word.
    fn next_command(&mut self) -> Result<Option<Command>, ImportError> {
        let mut command = Command::default();
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.skip(1),
                b'\n' | b';' | b'&' | b'|' => {
                    self.skip(1);
                    if !command.words.is_empty() {
                        break;
                    }
                }
                b'#' => self.skip_comment(),
                b'\\' if self.continues_line() => self.skip_continuation(),
                b'>' | b'<' => self.skip_redirection()?,
                _ => {
                    let word = self.word()?;
                    // `2>file`: the number belongs to the redirection.
                    let is_descriptor = word.bytes.iter().all(u8::is_ascii_digit);
                    if !(is_descriptor && self.peek() == Some(b'>')) {
                        command.words.push(word);
                    }
                }
            }
        }
        Ok(Some(command).filter(|command| !command.words.is_empty()))
    }

    fn peek(&self) -> Option<u8> {
        self.script.get(self.at).copied()
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek() == Some(b'\n') {
                self.line += 1;
            }
            self.at += 1;
        }
    }

    fn take(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.skip(1);
        byte
    }

    fn skip_comment(&mut self) {
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.skip(1);
        }
    }

    /// Backslash and line end, also one that was written on Windows.
    fn continues_line(&self) -> bool {
        matches!(
            &self.script[self.at..],
            [b'\\', b'\n', ..] | [b'\\', b'\r', b'\n', ..]
        )
    }

    fn skip_continuation(&mut self) {
        let is_of_windows = self.script.get(self.at + 1) == Some(&b'\r');
        self.skip(2 + usize::from(is_of_windows));
    }

    /// `> file`, `>> file`, `>&2`, `< file`: what becomes of the output changes no request.
    fn skip_redirection(&mut self) -> Result<(), ImportError> {
        while matches!(self.peek(), Some(b'>' | b'<' | b'&' | b'|' | b' ' | b'\t')) {
            self.skip(1);
        }
        if self.peek().is_some_and(|byte| byte != b'\n') {
            self.word()?;
        }
        Ok(())
    }

    fn word(&mut self) -> Result<Word, ImportError> {
        let mut word = Word {
            bytes: Vec::new(),
            line: self.line,
            unexpanded: self.peek() == Some(b'~'),
        };
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' => break,
                b'\'' => self.single_quoted(&mut word, false)?,
                b'"' => self.double_quoted(&mut word)?,
                b'\\' if self.continues_line() => self.skip_continuation(),
                b'\\' => {
                    self.skip(1);
                    word.bytes.extend(self.take());
                }
                b'$' => self.dollar(&mut word)?,
                b'`' => self.command_substitution(&mut word, b'`')?,
                _ => {
                    self.skip(1);
                    word.bytes.push(byte);
                }
            }
        }
        Ok(word)
    }

    /// `'...'`, or `$'...'` of bash and zsh, as browsers write it.
    fn single_quoted(&mut self, word: &mut Word, has_escapes: bool) -> Result<(), ImportError> {
        let start = self.line;
        let (quote, length) = match has_escapes {
            true => ("a quote `$'`", 2),
            false => ("a single quote `'`", 1),
        };
        self.skip(length);
        loop {
            match self.take() {
                None => return Err(open(start, quote)),
                Some(b'\'') => return Ok(()),
                Some(b'\\') if has_escapes => self.escape(word),
                Some(byte) => word.bytes.push(byte),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), ImportError> {
        let start = self.line;
        self.skip(1);
        loop {
            match self.peek() {
                None => return Err(open(start, "a double quote `\"`")),
                Some(b'"') => {
                    self.skip(1);
                    return Ok(());
                }
                Some(b'\\') if self.continues_line() => self.skip_continuation(),
                Some(b'\\') => {
                    self.skip(1);
                    // Before any other character a backslash stands for itself.
                    if !matches!(self.peek(), Some(b'$' | b'`' | b'"' | b'\\')) {
                        word.bytes.push(b'\\');
                    }
                    word.bytes.extend(self.take());
                }
                Some(b'$') => self.variable(word)?,
                Some(b'`') => self.command_substitution(word, b'`')?,
                Some(byte) => {
                    self.skip(1);
                    word.bytes.push(byte);
                }
            }
        }
    }

    fn dollar(&mut self, word: &mut Word) -> Result<(), ImportError> {
        match self.script.get(self.at + 1) {
            Some(b'\'') => self.single_quoted(word, true),
            // A translated text; without a translation it is the text.
            Some(b'"') => {
                self.skip(1);
                self.double_quoted(word)
            }
            _ => self.variable(word),
        }
    }

    /// `$NAME`, `${NAME}`, `$(command)`: kept as written, and marked.
    fn variable(&mut self, word: &mut Word) -> Result<(), ImportError> {
        match self.script.get(self.at + 1) {
            Some(b'(') => return self.command_substitution(word, b')'),
            Some(b'{' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'?' | b'$' | b'@') => {
                word.unexpanded = true;
            }
            _ => {}
        }
        word.bytes.extend(self.take());
        Ok(())
    }

    /// `` `command` `` or `$(command)`, whose spaces and quotes are its own affair.
    fn command_substitution(&mut self, word: &mut Word, end: u8) -> Result<(), ImportError> {
        let start = self.line;
        word.unexpanded = true;
        let opening = if end == b')' { 2 } else { 1 };
        for _ in 0..opening {
            word.bytes.extend(self.take());
        }
        let mut depth = 1_usize;
        while depth > 0 {
            let byte = self
                .take()
                .ok_or_else(|| open(start, "a command in a command"))?;
            word.bytes.push(byte);
            match byte {
                byte if byte == end => depth -= 1,
                b'(' if end == b')' => depth += 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// After the backslash in `$'...'`.
    fn escape(&mut self, word: &mut Word) {
        let Some(byte) = self.take() else { return };
        let plain = match byte {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 0x1b,
            b'f' => 0xc,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0xb,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'0'..=b'7' => {
                self.at -= 1;
                self.number(8, 3).map_or(byte, |code| code as u8)
            }
            b'x' => match self.number(16, 2) {
                Some(code) => code as u8,
                None => return word.bytes.extend(b"\\x"),
            },
            b'u' | b'U' => {
                let digits = if byte == b'u' { 4 } else { 8 };
                return match self.number(16, digits).and_then(char::from_u32) {
                    Some(c) => word.bytes.extend(c.to_string().as_bytes()),
                    None => word.bytes.extend([b'\\', byte]),
                };
            }
            b'c' => self.take().map_or(b'c', |control| control & 0x1f),
            other => {
                word.bytes.push(b'\\');
                other
            }
        };
        word.bytes.push(plain);
    }

    /// This many digits at most.
    fn number(&mut self, radix: u32, most: usize) -> Option<u32> {
        let mut value = None;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(radix)) else {
                break;
            };
            self.skip(1);
            value = Some(
                value
                    .unwrap_or(0_u32)
                    .wrapping_mul(radix)
                    .wrapping_add(digit),
            );
        }
        value
    }
}

fn open(line: u64, what: &str) -> ImportError {
    ImportError::Syntax {
        line,
        format: "a command line",
        problem: format!("{what} is opened and never closed"),
    }
}

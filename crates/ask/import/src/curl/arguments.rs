//! From words to drafts of requests.

use super::data::Datum;
use super::draft::{Draft, File};
use super::form;
use super::options::{self, CurlOption, Meaning, Use};
use super::words::Word;
use crate::error::ImportError;
use crate::note::{Notes, shorten};
use std::path::Path;
use std::time::Duration;

/// Reads the words after `curl`. There are several drafts when `--next` stands between them.
pub(super) fn read(
    words: &[Word],
    base_dir: &Path,
    notes: &mut Notes,
) -> Result<Vec<Draft>, ImportError> {
    let first_line = words.first().map_or(1, |word| word.line);
    let mut reader = Reader {
        words: words.iter(),
        line: first_line,
        base_dir,
        notes,
        draft: Draft::new(first_line),
        done: Vec::new(),
    };
    reader.run()?;
    reader.done.push(reader.draft);
    Ok(reader.done)
}

struct Reader<'a> {
    words: std::slice::Iter<'a, Word>,
    /// Line of the present word.
    line: u64,
    base_dir: &'a Path,
    notes: &'a mut Notes,
    draft: Draft,
    done: Vec<Draft>,
}

impl<'a> Reader<'a> {
    fn run(&mut self) -> Result<(), ImportError> {
        let mut only_urls = false;
        while let Some(word) = self.next_word() {
            match word.bytes.as_slice() {
                b"--" if !only_urls => only_urls = true,
                [b'-', b'-', name @ ..] if !only_urls => self.long(name)?,
                [b'-', letters @ ..] if !only_urls && !letters.is_empty() => self.short(letters)?,
                _ => {
                    let url = self.text(&word.bytes)?;
                    self.draft.urls.push((word.line, url));
                }
            }
        }
        Ok(())
    }

    fn next_word(&mut self) -> Option<&'a Word> {
        let word = self.words.next()?;
        self.line = word.line;
        if word.unexpanded {
            let text = String::from_utf8_lossy(&word.bytes);
            self.note(format!(
                "`{}` holds what a shell would replace; it is sent as it stands: write the value into the command",
                shorten(&text, 60)
            ));
        }
        Some(word)
    }

    fn long(&mut self, name: &'a [u8]) -> Result<(), ImportError> {
        let name = String::from_utf8_lossy(name);
        match options::long(&name) {
            Some(option) if option.takes_value => {
                let value = self.next_value(&format!("--{name}"))?;
                self.apply(option, &name, value)
            }
            Some(option) => self.apply(option, &name, b""),
            None => {
                self.note(format!(
                    "curl's option `--{}` is not known; left out",
                    shorten(&name, 60)
                ));
                Ok(())
            }
        }
    }

    /// `-s`, `-sS`, `-XPOST`, `-X POST`.
    fn short(&mut self, letters: &'a [u8]) -> Result<(), ImportError> {
        let mut rest = letters;
        while let [letter, after @ ..] = rest {
            let name = char::from(*letter).to_string();
            rest = after;
            match options::short(*letter) {
                Some(option) if option.takes_value => {
                    let value = match rest {
                        [] => self.next_value(&format!("-{name}"))?,
                        attached => attached,
                    };
                    return self.apply(option, &name, value);
                }
                Some(option) => self.apply(option, &name, b"")?,
                None => self.note(format!("curl's option `-{name}` is not known; left out")),
            }
        }
        Ok(())
    }

    fn next_value(&mut self, option: &str) -> Result<&'a [u8], ImportError> {
        match self.next_word() {
            Some(word) => Ok(&word.bytes),
            None => Err(self.wrong(format!("`{option}` needs a value after it"))),
        }
    }

    fn apply(&mut self, option: CurlOption, name: &str, value: &[u8]) -> Result<(), ImportError> {
        match option.meaning {
            Meaning::Harmless => Ok(()),
            Meaning::NotUsed(why) => {
                let hyphens = if name.chars().count() == 1 { "-" } else { "--" };
                self.note(format!("`{hyphens}{name}` is not used: {why}"));
                Ok(())
            }
            Meaning::Used(using) => self.use_option(using, value),
        }
    }

    fn use_option(&mut self, using: Use, value: &[u8]) -> Result<(), ImportError> {
        match using {
            Use::Data | Use::DataRaw | Use::DataBinary | Use::DataUrlencode | Use::Json => {
                self.add_data(using, value)
            }
            Use::Form | Use::FormString => self.add_part(using, value),
            Use::Header => self.add_header(value),
            Use::Cookie => self.add_cookies(value),
            Use::Upload => self.add_upload(value),
            Use::UrlQuery => self.add_url_query(value),
            Use::Ca | Use::Certificate | Use::Key | Use::UnixSocket => self.add_file(using, value),
            Use::MaxTime | Use::ConnectTimeout => self.add_timeout(using, value),
            Use::MaxRedirects => self.add_max_redirects(value),
            Use::Agent => self.set_text(value, |draft| &mut draft.agent),
            Use::Bearer => self.set_text(value, |draft| &mut draft.bearer),
            Use::Method => self.set_text(value, |draft| &mut draft.method),
            Use::Range => self.set_text(value, |draft| &mut draft.range),
            Use::Referer => self.set_text(value, |draft| &mut draft.referer),
            Use::RequestTarget => self.set_text(value, |draft| &mut draft.request_target),
            Use::Url => {
                let url = self.text(value)?;
                self.draft.urls.push((self.line, url));
                Ok(())
            }
            Use::User => {
                self.draft.user = Some(value.to_vec());
                Ok(())
            }
            flag => {
                self.set_flag(flag);
                Ok(())
            }
        }
    }

    fn set_flag(&mut self, flag: Use) {
        let draft = &mut self.draft;
        match flag {
            Use::Compressed => draft.is_compressed = true,
            Use::CookieJar => draft.keeps_cookies = true,
            Use::Follow => draft.follows = true,
            Use::Get => draft.is_get = true,
            Use::Globoff => draft.is_globoff = true,
            Use::Head => draft.is_head = true,
            Use::Http(version) => draft.connection.http_version = Some(version),
            Use::Insecure => draft.connection.insecure = true,
            Use::PathAsIs => draft.is_path_as_is = true,
            Use::Next => {
                let next = Draft::new(self.line);
                self.done.push(std::mem::replace(draft, next));
            }
            // What curl does anyway.
            _ => {}
        }
    }

    fn set_text(
        &mut self,
        value: &[u8],
        field: impl Fn(&mut Draft) -> &mut Option<String>,
    ) -> Result<(), ImportError> {
        *field(&mut self.draft) = Some(self.text(value)?);
        Ok(())
    }

    fn add_data(&mut self, using: Use, value: &[u8]) -> Result<(), ImportError> {
        if value == b"@-" && using != Use::DataRaw {
            self.note("standard input is not read; the body lacks what would come from it");
            return Ok(());
        }
        let place = self.place();
        let datum = match using {
            Use::Data => Datum::text(value, self.base_dir, &place)?,
            Use::DataRaw => Datum::Bytes(value.to_vec()),
            Use::DataUrlencode => Datum::urlencoded(value, self.base_dir, &place)?,
            _ => Datum::binary(value, self.base_dir),
        };
        if using == Use::Json {
            self.draft.is_json = true;
            self.draft.data.push_joined(datum);
        } else {
            self.draft.data.push(datum);
        }
        Ok(())
    }

    fn add_part(&mut self, using: Use, value: &[u8]) -> Result<(), ImportError> {
        let place = self.place();
        let read = if using == Use::FormString {
            form::plain_part(value)
        } else {
            form::part(value, self.base_dir, &place)?
        };
        match read {
            Some(part) => {
                if part.has_unknown {
                    self.note(
                        "a form part has more than its type and file name; the rest is left out",
                    );
                }
                self.draft.parts.push(part.part);
            }
            None => return Err(self.wrong("a form part is written as `name=content`")),
        }
        Ok(())
    }

    fn add_header(&mut self, value: &[u8]) -> Result<(), ImportError> {
        let text = self.text(value)?;
        if text.starts_with('@') {
            self.note("headers in a file are not read; write them into the command");
        } else if !self.draft.add_header(&text) {
            return Err(self.wrong(format!(
                "`{}` is no header; write `Name: value`",
                shorten(&text, 60)
            )));
        }
        Ok(())
    }

    /// Cookies as text, or the name of a file when there is no `=` in it.
    fn add_cookies(&mut self, value: &[u8]) -> Result<(), ImportError> {
        let text = self.text(value)?;
        if text.contains('=') {
            self.draft.cookies.push(text);
        } else {
            self.draft.keeps_cookies = true;
            if !text.is_empty() {
                self.note(format!(
                    "the cookies in the file `{}` are not sent; cookies that the subject sets are kept",
                    shorten(&text, 60)
                ));
            }
        }
        Ok(())
    }

    fn add_upload(&mut self, value: &[u8]) -> Result<(), ImportError> {
        let name = self.text(value)?;
        if matches!(name.as_str(), "-" | ".") {
            self.note("standard input is not read; the request has no body");
        }
        self.draft.upload = Some(File {
            path: self.base_dir.join(&name),
            name,
        });
        Ok(())
    }

    fn add_url_query(&mut self, value: &[u8]) -> Result<(), ImportError> {
        let part = match value {
            [b'+', as_is @ ..] => self.text(as_is)?,
            _ => {
                let place = self.place();
                let datum = Datum::urlencoded(value, self.base_dir, &place)?;
                String::from_utf8_lossy(&datum.bytes(&place)?).into_owned()
            }
        };
        self.draft.queries.push(part);
        Ok(())
    }

    fn add_file(&mut self, using: Use, value: &[u8]) -> Result<(), ImportError> {
        let mut name = self.text(value)?;
        if using == Use::Certificate
            && let Some((file, _)) = name.split_once(':').filter(|(file, _)| !file.is_empty())
        {
            name = file.to_owned();
            self.note("the pass phrase of the certificate is not used; give a key without one");
        }
        let path = Some(self.base_dir.join(name));
        let connection = &mut self.draft.connection;
        match using {
            Use::Ca => connection.ca = path,
            Use::Certificate => connection.certificate = path,
            Use::Key => connection.key = path,
            _ => connection.unix_socket = path,
        }
        Ok(())
    }

    fn add_timeout(&mut self, using: Use, value: &[u8]) -> Result<(), ImportError> {
        let text = self.text(value)?;
        let timeout = text
            .parse()
            .ok()
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .ok_or_else(|| {
                self.wrong(format!("`{}` is no number of seconds", shorten(&text, 60)))
            })?;
        // 0 is curl's word for none.
        let timeout = Some(timeout).filter(|timeout| !timeout.is_zero());
        let connection = &mut self.draft.connection;
        match using {
            Use::MaxTime => connection.timeout = timeout,
            _ => connection.connect_timeout = timeout,
        }
        Ok(())
    }

    fn add_max_redirects(&mut self, value: &[u8]) -> Result<(), ImportError> {
        let text = self.text(value)?;
        match text.parse::<u32>() {
            Ok(most) => self.draft.max_redirects = Some(most),
            Err(_) => self.note(format!(
                "`--max-redirs {}`: redirects are followed up to curl's usual bound",
                shorten(&text, 60)
            )),
        }
        Ok(())
    }

    fn text(&self, bytes: &[u8]) -> Result<String, ImportError> {
        String::from_utf8(bytes.to_vec())
            .map_err(|_| self.wrong("only data may hold bytes that are not UTF-8"))
    }

    fn place(&self) -> String {
        format!("line {}", self.line)
    }

    fn note(&mut self, text: impl std::fmt::Display) {
        self.notes.add(format!("line {}", self.line), text);
    }

    fn wrong(&self, problem: impl Into<String>) -> ImportError {
        ImportError::Syntax {
            line: self.line,
            format: "a curl command line",
            problem: problem.into(),
        }
    }
}

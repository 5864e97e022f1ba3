//! Which names have a secret value.

/// These count anywhere in a name: `PGPASSWORD` and `accesstoken` are written without a separator.
const ANYWHERE: [&str; 6] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "credential",
];
/// Words that contain one of [`ANYWHERE`] and mean something else.
const INNOCENT: [&str; 2] = ["tokeniz", "tokenis"];
/// `key` joined with what it opens. `key` alone only counts as a whole word; otherwise `monkey`
/// would match.
const KEYS: [&str; 9] = [
    "apikey",
    "accesskey",
    "accountkey",
    "privatekey",
    "encryptionkey",
    "masterkey",
    "sharedkey",
    "signingkey",
    "authkey",
];
/// Headers whose whole value is secret; names without separators.
const HEADERS: [&str; 2] = ["cookie", "setcookie"];
/// Endings of names that contain a secret word but hold something about the secret, such as its
/// place, and not the secret itself.
#[rustfmt::skip]
const ATTRIBUTES: [&str; 51] = [
    "alg", "algorithm", "alias", "age", "class", "converter", "count", "counts", "deserializer", "dir", "directory", "enabled",
    "encoder", "encoding", "endpoint", "expiration", "expires", "expiry", "file", "format", "header", "length", "level",
    "lifetime", "limit", "location", "max", "min", "ms", "name", "names", "path", "policy", "prefix", "provider", "rate", "ref",
    "required", "rotation", "schema", "second", "seconds", "serializer", "size", "timeout", "total", "ttl", "type", "uri", "url",
    "version",
];
/// After these words `key` finds data, and opens nothing.
#[rustfmt::skip]
const OF_DATA: [&str; 21] = [
    "cache", "candidate", "composite", "foreign", "group", "idempotency", "index", "lookup", "map", "message", "natural",
    "object", "partition", "primary", "public", "record", "routing", "row", "shard", "sort", "unique",
];
/// Words beside `token` or `tokens` that show that pieces of text are counted.
#[rustfmt::skip]
const COUNTED: [&str; 15] = [
    "cached", "completion", "generated", "input", "max", "maximum", "min", "minimum", "new", "num", "number", "output", "prompt",
    "total", "used",
];
/// Values that are no secret, for names that often mean something else.
#[rustfmt::skip]
const FLAGS: [&str; 27] = [
    "basic", "bearer", "digest", "disabled", "enabled", "false", "header", "jwt", "kerberos", "ldap", "need", "never", "no",
    "none", "ntlm", "null", "oauth", "oauth2", "off", "on", "optional", "requested", "required", "saml", "true", "want", "yes",
];

/// Names whose values are secret: the usual ones, and those that somebody added.
#[derive(Debug, Clone, Default)]
pub struct Names {
    added: Vec<Vec<String>>,
}

impl Names {
    /// Adds one name. It is also found inside longer names, however they are written.
    pub fn add(&mut self, name: &str) {
        let words = words(name);
        if !words.is_empty() && !self.added.contains(&words) {
            self.added.push(words);
        }
    }

    /// Whether the value of this name is secret: of an environment variable, a system property, an
    /// option, a key, a header.
    #[must_use]
    pub fn is_secret(&self, name: &str) -> bool {
        let words = words(name);
        if self.added.iter().any(|added| contains(&words, added)) {
            return true;
        }
        let joined = words.concat();
        if is_about(&words) || counts_tokens(&words) {
            return false;
        }
        let mut without = joined.clone();
        for innocent in INNOCENT {
            without = without.replace(innocent, "");
        }
        ANYWHERE.iter().any(|part| without.contains(part))
            || has_key(&words)
            || ends_in_a_short_form(name, &words)
            || is_signature(&words, &joined)
            || HEADERS.contains(&joined.as_str())
            || words.last().is_some_and(|last| last == "authorization")
            || ends_in_auth(&words)
            || is_of_session(&joined)
    }

    /// Whether this value of this name is secret. A number or a flag is no secret where the name
    /// may mean something else: `key=5`, `client-auth=need`. With `password` even a number is
    /// secret.
    #[must_use]
    pub fn hides(&self, name: &str, value: &str) -> bool {
        let says_something = !matches!(bare(value), "" | "?" | "YES" | "NO");
        says_something && self.is_secret(name) && !(self.is_vague(name) && is_plain(value))
    }

    /// Whether everything below this name is secret. Below `auth` it is not: there are other
    /// settings, too.
    pub(crate) fn covers(&self, name: &str) -> bool {
        self.is_secret(name) && !ends_in_auth(&words(name))
    }

    /// Whether the name is about a secret and does not hold it: `secretName`.
    pub(crate) fn is_about(name: &str) -> bool {
        is_about(&words(name))
    }

    /// Whether the name may also mean something that is no secret.
    pub(crate) fn is_vague(&self, name: &str) -> bool {
        let words = words(name);
        let joined = words.concat();
        let is_vague = matches!(joined.as_str(), "key" | "keys" | "tokens")
            || ends_in_auth(&words)
            || is_of_session(&joined);
        is_vague && !self.added.iter().any(|added| contains(&words, added))
    }

    /// Whether the name ends in a secret word. Then `name:value` without a space is more likely a
    /// secret than a file with a line number, or an image with a tag.
    pub(crate) fn ends_in_secret(&self, name: &str) -> bool {
        let words = words(name);
        let is_header = name.starts_with("X-") || name.starts_with("x-");
        let ending = &words[words.len().saturating_sub(2)..];
        self.is_secret(name)
            && (is_header || !self.is_vague(name))
            && (ending.last().is_some_and(|last| self.is_secret(last))
                || self.is_secret(&ending.join("-")))
    }

    /// Whether even a number is secret under this name.
    pub(crate) fn is_password(name: &str) -> bool {
        let joined = words(name).concat();
        ["password", "passwd", "passphrase", "pwd"]
            .iter()
            .any(|it| joined.ends_with(it))
    }

    /// Whether the name is also a word of prose: `token: ...` in a message is about a token, and
    /// holds none.
    pub(crate) fn is_prose(name: &str) -> bool {
        matches!(
            name.to_ascii_lowercase().as_str(),
            "key"
                | "keys"
                | "token"
                | "tokens"
                | "secret"
                | "secrets"
                | "credential"
                | "credentials"
                | "auth"
        )
    }
}

/// `key` as a word, except for key stores: `javax.net.ssl.keyStore` is a path.
fn has_key(words: &[String]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_key = word == "key" || word == "keys";
        let of_store = words.get(at + 1).is_some_and(|next| next == "store");
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let of_data = before.is_some_and(|before| OF_DATA.contains(&before.as_str()));
        is_key && !of_store && !of_data || KEYS.iter().any(|key| word.ends_with(key))
    })
}

/// `DB_PASS`, `PGPASS`, `-storepass`, `Pwd` of a connection string; the shell's own `PWD` and
/// `OLDPWD` are folders.
fn ends_in_a_short_form(name: &str, words: &[String]) -> bool {
    // `pass` alone is also what a test does.
    let is_other = ["PWD", "OLDPWD"].contains(&name) || words == ["pass"];
    words.last().is_some_and(|last| {
        let is_word = [
            "bypass",
            "compass",
            "encompass",
            "trespass",
            "surpass",
            "overpass",
        ]
        .contains(&last.as_str());
        !is_other && !is_word && (last.ends_with("pass") || last.ends_with("pwd"))
    })
}

/// Whether the name is that of a signature. Whoever has a signature may do what it signs:
/// `X-Amz-Signature`, `sig` and `SharedAccessSignature` of Azure, a JSON Web Token.
fn is_signature(words: &[String], joined: &str) -> bool {
    let last = words.last().map(String::as_str);
    matches!(last, Some("jwt" | "sig"))
        || joined.ends_with("accesssignature")
        || joined.ends_with("xamzsignature")
}

/// `secret-name`, `token_count`, and `logging.level.acme.secret`, which is a package.
fn is_about(words: &[String]) -> bool {
    let ends_so = words.len() > 1
        && words
            .last()
            .is_some_and(|last| ATTRIBUTES.contains(&last.as_str()));
    let is_logger = matches!(words, [first, second, ..] if first == "logging" && second == "level");
    ends_so || is_logger
}

/// `max_tokens`, `promptTokens`, `tokens_used`.
fn counts_tokens(words: &[String]) -> bool {
    words.iter().any(|word| word == "tokens")
        && words.iter().any(|word| COUNTED.contains(&word.as_str()))
}

/// `X-Auth`, `REDISCLI_AUTH`, `?auth=`, `masterauth`.
fn ends_in_auth(words: &[String]) -> bool {
    let last = words.last().map(String::as_str);
    matches!(last, Some("auth" | "masterauth"))
}

/// Whether it identifies a session. Whoever has it passes for the user who logged in.
fn is_of_session(joined: &str) -> bool {
    ["sessionid", "sessid", "csrf", "xsrf"]
        .iter()
        .any(|end| joined.ends_with(end))
}

/// A number, alone or first of a list (`5,expires=0`), or a flag.
fn is_plain(value: &str) -> bool {
    let value = bare(value);
    let first = value.split(',').next().unwrap_or(value);
    first.trim().parse::<f64>().is_ok() || FLAGS.contains(&value.to_ascii_lowercase().as_str())
}

/// The value without quotes and enclosing punctuation: `(using password: YES)`.
fn bare(value: &str) -> &str {
    value
        .trim()
        .trim_matches(['"', '\'', '\\'])
        .trim_end_matches([')', ']', '}', ','])
}

fn contains(words: &[String], part: &[String]) -> bool {
    words.windows(part.len()).any(|window| window == part) || words.concat() == part.concat()
}

/// The words of a name in lower case: `API_KEY`, `api-key`, `api.key`, `apiKey`, `APIKey` are two
/// words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let characters: Vec<char> = name.chars().collect();
    for (at, &c) in characters.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| characters.get(at));
        let after = characters.get(at + 1);
        // `fooBar`, and the last capital of `HTTPServer`.
        let begins = c.is_uppercase()
            && (before.is_some_and(|b| b.is_lowercase() || b.is_numeric())
                || before.is_some_and(|b| b.is_uppercase())
                    && after.is_some_and(|a| a.is_lowercase()));
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

//! Which names say that their value is secret.

/// Anywhere in a name: `PGPASSWORD` and `accesstoken` are written without a separator.
const ANYWHERE: [&str; 6] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "credential",
];
/// What only looks like one of those.
const INNOCENT: [&str; 2] = ["tokeniz", "tokenis"];
/// `key` written together with what it opens. `key` alone is a word of its own, or `monkey` would be one.
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
/// Headers that are secret as a whole, without separators.
const HEADERS: [&str; 2] = ["cookie", "setcookie"];

/// Names whose values are secret: the usual ones, and those that somebody added.
#[derive(Debug, Clone, Default)]
pub struct Names {
    added: Vec<Vec<String>>,
}

impl Names {
    /// One more; it is also found inside of longer names, however they are written.
    pub fn add(&mut self, name: &str) {
        let words = words(name);
        if !words.is_empty() && !self.added.contains(&words) {
            self.added.push(words);
        }
    }

    /// Whether the value of this name is secret: of an environment variable, a system property, an option, a key, a header.
    #[must_use]
    pub fn is_secret(&self, name: &str) -> bool {
        let words = words(name);
        let joined = words.concat();
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
            || self.added.iter().any(|added| contains(&words, added))
    }

    /// Whether it is a word of prose by itself: `token: ...` in a message is about a token, and holds none.
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
        )
    }
}

/// `key` as a word, but for key stores: `javax.net.ssl.keyStore` is a path.
fn has_key(words: &[String]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_key = word == "key" || word == "keys";
        let of_store = words.get(at + 1).is_some_and(|next| next == "store");
        is_key && !of_store || KEYS.iter().any(|key| word.ends_with(key))
    })
}

/// `DB_PASS`, `PGPASS`, `-storepass`, `Pwd` of a connection string; the shell's own `PWD` and `OLDPWD` are folders.
fn ends_in_a_short_form(name: &str, words: &[String]) -> bool {
    // `pass` by itself is also what a test does.
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

/// Who has it may do what it signs: `X-Amz-Signature`, `sig` and `SharedAccessSignature` of Azure, a JSON Web Token.
fn is_signature(words: &[String], joined: &str) -> bool {
    let last = words.last().map(String::as_str);
    matches!(last, Some("jwt" | "sig"))
        || joined.ends_with("accesssignature")
        || joined.ends_with("xamzsignature")
}

fn contains(words: &[String], part: &[String]) -> bool {
    words.windows(part.len()).any(|window| window == part) || words.concat() == part.concat()
}

/// The words of a name in lower case: `API_KEY`, `api-key`, `api.key`, `apiKey`, `APIKey` are two words.
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

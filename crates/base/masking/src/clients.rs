//! Programs that take a password by a one-letter option. With other programs the same letter means
//! something else: `mysql -pSECRET`, `ssh -p 22`.

/// Where the secret is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// In the option itself: `-pSECRET`.
    Attached,
    /// In the word after it: `-a SECRET`.
    Next,
    /// In either of these two places.
    Either,
    /// In either place, after the name of a user: `-a user:SECRET`.
    Login,
}

#[derive(Debug)]
struct Client {
    programs: &'static [&'static str],
    /// The subcommand that takes the option; `None` when every one does.
    only_in: Option<&'static str>,
    options: &'static [&'static str],
    takes: Takes,
}

const fn client(
    programs: &'static [&'static str],
    options: &'static [&'static str],
    takes: Takes,
) -> Client {
    Client {
        programs,
        only_in: None,
        options,
        takes,
    }
}

#[rustfmt::skip]
const CLIENTS: [Client; 11] = [
    client(&[
        "mysql", "mysqladmin", "mysqlcheck", "mysqldump", "mysqlimport", "mysqlpump", "mysqlsh", "mysqlshow", "mysqlslap",
        "mysqlbinlog", "mycli", "mariadb", "mariadb-admin", "mariadb-backup", "mariadb-binlog", "mariadb-check",
        "mariadb-dump", "mariadb-import", "mariadb-show", "mariadb-slap",
        "7z", "7za", "7zz",
    ], &["-p"], Takes::Attached),
    client(&["sshpass", "cqlsh", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "mongostat",
        "rabbitmqadmin"], &["-p"], Takes::Either),
    client(&["redis-cli", "redis-benchmark", "valkey-cli", "valkey-benchmark"], &["-a", "--pass"], Takes::Next),
    client(&["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami", "ldapcompare"], &["-w"], Takes::Either),
    client(&["sqlcmd", "bcp", "mosquitto_pub", "mosquitto_sub", "mosquitto_rr"], &["-P"], Takes::Either),
    client(&["zip", "unzip", "zipcloak"], &["-P"], Takes::Next),
    client(&["curl"], &["-u", "-U"], Takes::Login),
    client(&["http", "https", "xh", "xhs", "hey"], &["-a"], Takes::Login),
    client(&["ab"], &["-A", "-P"], Takes::Login),
    Client {
        programs: &["docker", "podman", "nerdctl", "helm", "skopeo", "buildah", "crane", "oras", "oc"],
        only_in: Some("login"),
        options: &["-p"],
        takes: Takes::Either,
    },
    Client {
        programs: &["az"],
        only_in: Some("login"),
        options: &["-p"],
        takes: Takes::Next,
    },
];

/// Goes along the words of a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walk {
    client: Option<&'static Client>,
    is_in_command: bool,
    is_next: bool,
}

impl Walk {
    /// Where a secret begins in this word, if there is one in it.
    pub(crate) fn step(&mut self, word: &str) -> Option<usize> {
        if std::mem::take(&mut self.is_next) && !word.starts_with('-') {
            return self.found(word, 0);
        }
        if let Some(client) = self.client.filter(|_| self.is_in_command) {
            for option in client.options {
                match word.strip_prefix(option) {
                    Some("") => self.is_next = client.takes != Takes::Attached,
                    Some(_) if client.takes != Takes::Next => {
                        return self.found(word, option.len());
                    }
                    _ => {}
                }
            }
        }
        let program = word.rsplit('/').next().unwrap_or(word);
        if let Some(client) = CLIENTS.iter().find(|it| it.programs.contains(&program)) {
            self.client = Some(client);
            self.is_in_command = client.only_in.is_none();
        } else if self.client.is_some_and(|it| it.only_in == Some(word)) {
            self.is_in_command = true;
        }
        None
    }

    fn found(&mut self, word: &str, at: usize) -> Option<usize> {
        let client = self.client?;
        let at = match client.takes {
            Takes::Login => at + word.get(at..)?.find(':')? + 1,
            _ => at,
        };
        // The program that it starts has options of its own: `sshpass -p SECRET ssh -p 22`.
        *self = Self::default();
        (at < word.len()).then_some(at)
    }
}

//! Secrets where users have them: experiments, logs, command lines, manifests. `«»` stands around
//! what is to be masked, so that a row says what is hidden and that all else stays.
#![allow(clippy::unwrap_used)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use tacho_masking::Masking;

/// A line of a log, a shell or a message.
const TEXTS: &[&str] = &[
    // Clients of databases and others whose option for a password is one letter.
    "mysql -uroot -p«S3cr3tZq» -h db shop",
    "mysql -u root -p«'S3cr tZq'» shop",
    "/usr/bin/mysqldump --single-transaction -p«S3cr3tZq» shop > dump.sql",
    "mysqladmin -h db -p«S3cr3tZq» ping",
    "mariadb -p«S3cr3tZq»",
    "sshpass -p «S3cr3tZq» ssh -p 2222 host",
    "sshpass -p«S3cr3tZq» ssh host",
    "redis-cli -h cache -p 6379 -a «S3cr3tZq» ping",
    "mongosh -u me -p «S3cr3tZq» --port 27017",
    "ldapsearch -x -D cn=admin -w «S3cr3tZq» -b dc=x",
    "sqlcmd -S db -U sa -P «S3cr3tZq» -Q 'select 1'",
    "docker login -u me -p «S3cr3tZq» registry.test",
    "mosquitto_pub -h b -u me -P «S3cr3tZq» -t x",
    "7z x -p«S3cr3tZq» a.7z",
    "http -a me:«S3cr3tZq» GET :8080/x",
    "hey -a me:«S3cr3tZq» http://h/",
    "curl -ume:«S3cr3tZq» http://h/",
    "openssl rsa -in k.pem -passin pass:«S3cr3tZq»",
    "keytool -list -keystore a.jks -storepass «S3cr3tZq» -v",
    "sh -c 'mysql -p«S3cr3tZq» -e x'",
    "mysql --port=3306 -P 3306 --protocol tcp shop",
    "ssh -p 2222 host",
    "mkdir -p /var/lib/mysql",
    "docker run -p 8080:8080 mysql:8",
    "tar -p -xf mysql.tar; ls -pl",
    "redis-cli -p 6379 ping",
    // Colons.
    "password:«S3cr3tZq»",
    "connect user:me password:«S3cr3tZq» host:db",
    "{User:me Password:«S3cr3tZq» Port:5432}",
    "config: apiKey:«S3cr3tZq» region:eu",
    "Using generated security password: «8f3c41d2-aa10»",
    "at acme.TokenFilter.doFilter(TokenFilter.java:45)",
    "at acme.PasswordEncoder.encode(PasswordEncoder.java:12)",
    "secret.yaml:4:1: unknown key",
    "pulled acme/api-token:1.25",
    "unexpected token:}",
    // Headers.
    "X-Auth: «S3cr3tZq»",
    "< x-auth: «S3cr3tZq»",
    "curl -H 'X-Auth: «S3cr3tZq»' http://h/",
    "curl -H \"X-Auth-Key: «S3cr3tZq»\" http://h/",
    "X-Vault-Token: «hvs.CAESI»",
    "X-Session-Id: «a81cbb0e7f»",
    "X-CSRF: «a81cbb0e7f»",
    "X-Auth-User: me",
    "WWW-Authenticate: Basic realm=\"users of the shop\"",
    "Bearer authentication failed for me",
    "Basic authentication is required",
    "Accept-Encoding: gzip",
    // Names of sources.
    "root:«S3cr3tZq»@tcp(db:3306)/shop?parseTime=true",
    "opening me:«p@ss/w»@unix(/run/mysqld.sock)/shop",
    "dsn=me:«S3cr3tZq»@tcp(db)/shop",
    "postgres://me:«S3cr3tZq»@db:5432/shop",
    "postgres://me:«pa/ss»@db:5432/shop",
    "redis://:«S3cr3tZq»@cache:6379/0",
    "mongodb+srv://me:«S3cr3tZq»@a,b,c/shop",
    "broker me:«S3cr3tZq»@rabbit:5672 is gone",
    "host=db user=me password=«S3cr3tZq» dbname=shop",
    "Server=db;Uid=me;Pwd=«S3cr3tZq»;Encrypt=true",
    "AccountName=a;AccountKey=«S3cr3tZq==»;EndpointSuffix=core.test",
    "nginx:1.25@sha256:0123456789abcdef0123456789abcdef",
    "listening on tcp(0.0.0.0:3306)",
    "mailto:me@host.test",
    "http://host:8080/to/a@b",
    "git@github.test:acme/shop.git",
    // Query strings.
    "GET /x?access_token=«S3cr3tZq»&page=2 200",
    "GET /x?page=2&auth=«S3cr3tZq» 200",
    "GET /x?sig=«S3cr3tZq»&se=2026",
    "GET /go?to=https%3A%2F%2Fh%2F%3Faccess_token%3D«S3cr3tZq»%26page%3D2 302",
    "POST grant_type=password&username=me&password=«S3cr3tZq»&scope=all",
    "GET /x;jsessionid=«A81CBB0E7F»?page=2",
    // Documents in a line.
    r#"{"name":"DB_PASSWORD","value":"«S3cr3tZq»"}"#,
    r#"{"key": "Authorization", "value": "«Bearer S3cr3tZq»", "type": "text"}"#,
    r#"- {name: DB_PASSWORD, value: «S3cr3tZq»}"#,
    r#"body {\"user\":\"me\",\"password\":\"«S3cr3tZq»\",\"n\":1}"#,
    r#"{"name":"MONKEY","value":"banana"}"#,
    "ALTER ROLE me WITH PASSWORD '«S3cr3tZq»';",
    "CREATE USER me IDENTIFIED BY '«S3cr3tZq»';",
    "machine h login me password «S3cr3tZq»",
    "got «eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl» from me",
    "java -jar app.jar --spring.datasource.password=«S3cr3tZq» --server.port=1",
    // What only looks like one.
    "max_tokens=4096",
    r#"{"max_tokens": 4096, "maxTokens": 5, "prompt_tokens": 7}"#,
    "token_count=12 tokens_per_second=3.5",
    "tokens=12",
    "key: 5",
    "key=5",
    r#"{"key": 5, "n": 1}"#,
    "db0:keys=5,expires=0",
    "primary_key=id foreign_key=owner_id",
    "primaryKey: id",
    "partition-key=region sort_key=name cache_key=users",
    "key.serializer=org.acme.Strings",
    "monkey=banana",
    "token_url=https://h/token token-type=Bearer",
    "password_file=/run/secrets/db secret-name=shop",
    "logging.level.acme.secret=DEBUG",
    "-Djdk.tls.ephemeralDHKeySize=2048 -Djmxremote.password.file=/x",
    "mail.smtp.auth=true server.ssl.client-auth=need",
    "public_key=ssh-ed25519",
    // Written after the rules, to see whether they are more than this table.
    "2026-01-01 INFO o.a.Pool - url=jdbc:mysql://db/shop?user=me&password=«S3cr3tZq»",
    "Caused by: Access denied for user 'me'@'10.0.0.1' (using password: YES)",
    "docker run -e MYSQL_ROOT_PASSWORD=«S3cr3tZq» -p 3306:3306 mysql:8",
    "kubectl create secret generic shop --from-literal=password=«S3cr3tZq»",
    "helm registry login r.test -u me -p «S3cr3tZq»",
    "curl -s -X POST 'https://h/oauth/token?client_id=a&client_secret=«S3cr3tZq»'",
    "curl --header 'PRIVATE-TOKEN: «S3cr3tZq»' https://h/api",
    "wget --http-password=«S3cr3tZq» http://h/",
    "psql postgresql://me:«S3cr3tZq»@db/shop -c 'select 1'",
    "export PGPASSWORD='«S3cr3tZq»'; psql -h db",
    "java -Djavax.net.ssl.trustStorePassword=«S3cr3tZq» -Djavax.net.ssl.trustStore=/x.jks",
    "amqp://guest:«S3cr3tZq»@rabbit:5672/%2F",
    "ftp login failed for me:«S3cr3tZq»@files.test:21",
    "user=me;token=«S3cr3tZq»;page=1",
    "Set-Cookie: «sid=abc123; Path=/»",
    "Map{password=«S3cr3tZq,» user=me}",
    "GC(12) Pause Young 411M->54M(1024M) 3.2ms",
    "io.netty.handler.ssl.SslHandler: handshake timed out after 10000ms",
    "bean 'passwordEncoder' of type org.acme.BCryptPasswordEncoder",
    "tokens/s=31.5 tokens_used=900 tokenizer=bpe",
    "key_size=2048 api_key_count=3 keys: [a, b]",
    "Hibernate: select t.id from token t where t.key=?",
    "X-Auth: «basic S3cr3tZq»",
    "X-Auth-Key: «none, S3cr3tZq»",
    "proxy --auth required --keys 5,6 --csrf «S3cr3tZq»",
    "insert into users (name, password) values (?, ?)",
    "update users set password=? where id=7",
    "error: /etc/passwd: it is no regular file",
    "cat: /run/secrets/db-password: Permission denied",
    "TokenBucket capacity=10 refill=5",
];

/// Words of a command, parted by blanks.
const COMMANDS: &[&str] = &[
    "mysql -uroot -p«S3cr3tZq» shop",
    "/opt/mysql/bin/mysql -p«S3cr3tZq»",
    "env A=1 mysqldump -p«S3cr3tZq» shop",
    "sh -c mysql|-p«S3cr3tZq»|shop",
    "redis-cli -a «S3cr3tZq» ping",
    "redis-benchmark -h c -p 6379 -a «S3cr3tZq»",
    "mongosh -p «S3cr3tZq»",
    "app --db-dsn me:«S3cr3tZq»@tcp(db:3306)/shop",
    "app --url=postgres://me:«S3cr3tZq»@db/shop",
    "app --header X-Auth:«S3cr3tZq»",
    "app --auth «S3cr3tZq»",
    "app --max-tokens 4096 --key 5 --token-count 3",
    "app --max-tokens=4096 --primary-key id",
    "app --monkey banana -p 8080",
    "java -Dserver.ssl.key-alias=shop -Dserver.ssl.client-auth=need -jar a.jar",
    "ssh -p 2222 host",
];

/// Documents in YAML; a mask has quotes there.
const DOCUMENTS: &[&str] = &[
    "env:\n  - name: DB_PASSWORD\n    value: «S3cr3tZq»\n  - name: PORT\n    value: '80'\n",
    "env:\n  - value: «S3cr3tZq»\n    name: API_TOKEN\n",
    "env: [{name: DB_PASSWORD, value: «S3cr3tZq»}, {name: MONKEY, value: banana}]\n",
    "headers:\n  - name: X-Auth\n    value: «S3cr3tZq»\n  - key: Cookie\n    value: «sid=1234567»\n",
    "args:\n  - mysql\n  - -uroot\n  - -p«S3cr3tZq»\n  - shop\n",
    "command: [redis-cli, -a, «S3cr3tZq», ping]\n",
    "url: postgres://me:«S3cr3tZq»@db/shop\ndsn: me:«S3cr3tZq»@tcp(db)/shop\n",
    "path: /x?access_token=«S3cr3tZq»&page=2\n",
    "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef: {name: shop-db, key: password}\n",
    "volumes:\n  - secret:\n      secretName: shop\n    name: config\n",
    "max_tokens: 4096\ntoken_count: 12\nkey: 5\nprimary_key: id\nmonkey: banana\n",
    "auth: {type: basic, user: me, password: «S3cr3tZq»}\n",
    "- name: monkey\n  value: 5\n- name: max_tokens\n  value: 4096\n",
    "tls:\n  pem: |\n    -----BEGIN PRIVATE KEY-----«\n    MIIEow\n    »-----END PRIVATE KEY-----\nb: 1\n",
    "script: |\n  echo a\n  mysql -p«S3cr3tZq» shop\n  echo b\n",
];

/// What is written once `S3cr3tZq` is known, in base64 as the header of a user has it.
const KNOWN: &[&str] = &[
    // S3cr3tZq, me:S3cr3tZq, admin:S3cr3tZq, user:S3cr3tZq
    "Basic «UzNjcjN0WnE=»",
    "sent «bWU6UzNjcjN0WnE=» twice",
    "\"«YWRtaW46UzNjcjN0WnE=»\"",
    "auth=«dXNlcjpTM2NyM3RacQ==»",
    "UzNjcjN0 is another",
    "no «S3cr3tZq» here",
];

/// The row as it is written, and as it is to be.
fn row(marked: &str) -> (String, String) {
    let mut given = String::new();
    let mut wanted = String::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('«') {
        let (secret, after) = after.split_once('»').unwrap();
        given += &format!("{before}{secret}");
        // Quotes stay.
        let quote = secret.chars().next().filter(|c| "'\"".contains(*c));
        let quote = quote.map(String::from).unwrap_or_default();
        wanted += &format!("{before}{quote}***{quote}");
        rest = after;
    }
    (given + rest, wanted + rest)
}

/// Rows that do not hold, with what came instead; how many there are is in the message.
#[track_caller]
fn hold(rows: &[&str], masked: impl Fn(&str) -> String) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|marked| {
            let (given, wanted) = row(marked);
            let came = masked(&given);
            (came != wanted).then(|| format!("  {given}\n    wanted {wanted}\n    came   {came}"))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {} rows hold:\n{}",
        rows.len() - wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

#[test]
fn texts() {
    let masking = Masking::new();
    hold(TEXTS, |text| masking.text(text));
}

#[test]
fn commands() {
    let masking = Masking::new();
    hold(COMMANDS, |line| {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('|', " ")).collect();
        let words = masking.command(&words).join("\0");
        words.replace(' ', "|").replace('\0', " ")
    });
}

#[test]
fn commands_in_json() {
    let masking = Masking::new();
    hold(COMMANDS, |line| {
        let words: Vec<String> = line.split(' ').map(|word| word.replace('|', " ")).collect();
        let json = masking.compact_json(&words).unwrap();
        let words: Vec<String> = serde_json::from_str(&json).unwrap();
        words.join("\0").replace(' ', "|").replace('\0', " ")
    });
}

#[test]
fn documents() {
    let masking = Masking::new();
    hold(DOCUMENTS, |document| {
        let masked = masking.yaml(document);
        assert_eq!(masking.yaml(&masked), masked, "masked twice");
        without_quotes(&masked)
    });
}

/// Of words that were masked, which YAML needs.
fn without_quotes(document: &str) -> String {
    let mut plain = String::new();
    let mut rest = document;
    while let Some((before, after)) = rest.split_once('\'') {
        let (word, remainder) = after.split_once('\'').unwrap();
        plain += before;
        plain += &match word.contains("***") {
            true => word.to_owned(),
            false => format!("'{word}'"),
        };
        rest = remainder;
    }
    plain + rest
}

#[test]
fn what_is_known_in_base64() {
    let mut masking = Masking::new();
    masking.learn_pairs([("DB_PASSWORD", "S3cr3tZq")]);
    hold(KNOWN, |text| masking.known(text));
}

#[test]
fn a_private_key_in_a_text() {
    let masking = Masking::new();
    let key =
        "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA PRIVATE KEY-----\nb\n";
    let masked = "a\n-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\nb\n";
    assert_eq!(masking.text(key), masked);
}

proptest! {
    #[test]
    fn whatever_stands_around_a_secret_it_is_never_left(
        before in "[ -~é]{0,12}", secret in "[A-Z0-9]{12}", after in "[ -~é]{0,12}",
        form in prop::sample::select(vec![
            "password:S", "Config{Password:S}", "mysql -pS", "X-Auth: S", "me:S@tcp(db)", "a://me:S@h", "?access_token=S",
            r#"{"name":"db_pwd","value":"S"}"#, r#"{\"token\":\"S\"}"#, "identified by 'S'",
        ]),
    ) {
        let text = format!("{before} {} {after}", form.replace("S", &secret));
        let masked = Masking::new().text(&text);
        prop_assert!(!masked.contains(&secret), "{}", masked);
    }

    #[test]
    fn a_known_secret_in_base64_is_never_left(user in "[a-z:]{0,9}", secret in "[!-:<-z|}~]{6,20}", after in "[a-z]{0,5}") {
        prop_assume!(secret.parse::<f64>().is_err());
        let mut masking = Masking::new();
        masking.learn_pairs([("DB_PASSWORD", secret.as_str())]);
        let encoded = STANDARD.encode(format!("{user}{secret}{after}"));
        let masked = masking.known(&format!("Basic <{encoded}>"));
        prop_assert!(masked == "Basic <***>", "{}", masked);
    }
}

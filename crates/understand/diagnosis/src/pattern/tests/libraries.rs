//! Calls of libraries that cost because there are so many of them.

use super::*;
use tacho_run_folder::LedgerKind::{
    Exceptions, LogLines, Queries, Reflection, Regexes, RemoteCalls, SocketWaits,
};

#[test]
fn queries_for_each_item() {
    let stack = "org.h2.jdbc.JdbcPreparedStatement.executeQuery:1 shop.Items.load:20";
    let found = first(
        |build| {
            build.works(stack, 2.0).counts(
                Queries,
                "select * from item where id = ?",
                None,
                stack,
                20.0,
                2.0,
            )
        },
        2.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("queries-per-item", Some(20))
    );
    assert!(
        found.sentence.contains("20 statements"),
        "{}",
        found.sentence
    );
}

#[test]
fn calls_of_another_service() {
    let stack =
        "java.net.SocketInputStream.read:1 sun.net.www.http.HttpClient.parse:2 shop.Prices.price:9";
    let found = first(
        |build| {
            build
                .works(stack, 0.2)
                .counts(SocketWaits, "stock:80", None, stack, 5.0, 4.0)
                .counts(
                    RemoteCalls,
                    "java.net.HttpURLConnection.getInputStream",
                    None,
                    stack,
                    5.0,
                    4.0,
                )
        },
        0.2,
    );
    assert_eq!(found.pattern, "remote-calls-per-item");
    assert!((found.time_ms.candidate - 4.2).abs() < 1e-9);
}

#[test]
fn logging() {
    let stack = "java.io.FileOutputStream.writeBytes:1 ch.qos.logback.core.OutputStreamAppender.append:2 org.slf4j.Logger.info:1 shop.Audit.note:9";
    assert_eq!(
        first(|build| build.works(stack, 1.0), 1.0).pattern,
        "synchronous-logging"
    );
    let found = first(
        |build| {
            let lines = "log lines (Logback)";
            build
                .works(stack, 1.0)
                .counts(LogLines, lines, None, stack, 40.0, 1.0)
        },
        1.0,
    );
    assert!(
        found
            .sentence
            .contains("it writes one 40 times (before: never)"),
        "{}",
        found.sentence
    );
    assert_eq!(found.counts[0].times.candidate, 40.0);
}

#[test]
fn regular_expressions() {
    let stack = "java.util.regex.Pattern.expr:1 java.util.regex.Pattern.<init>:2 java.util.regex.Pattern.compile:3 java.lang.String.matches:4 shop.Check.is:9";
    let found = first(
        |build| {
            build
                .works(stack, 1.0)
                .counts(Regexes, "[a-z]+", None, stack, 12.0, 1.0)
        },
        1.0,
    );
    assert_eq!(found.pattern, "regex-per-call");
}

#[test]
fn exceptions_also_swallowed_ones() {
    let stack = "java.lang.Throwable.fillInStackTrace:1 java.lang.NumberFormatException.forInputString:2 java.lang.Integer.parseInt:5 shop.Parse.number:9";
    let found = first(
        |build| {
            build.works(stack, 1.0).counts(
                Exceptions,
                "java.lang.NumberFormatException: For input string: \"x\"",
                None,
                stack,
                20.0,
                0.0,
            )
        },
        1.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("exceptions-as-control-flow", Some(9))
    );
    assert_eq!(found.counts[0].what, "java.lang.NumberFormatException");
}

#[test]
fn reflection() {
    let stack = "java.lang.Class.getDeclaredMethods:1 java.lang.Class.getMethod:2 shop.Bean.copy:9";
    let found = first(
        |build| {
            build.works(stack, 1.0).counts(
                Reflection,
                "java.lang.Class.getMethod",
                None,
                stack,
                30.0,
                1.0,
            )
        },
        1.0,
    );
    assert_eq!(found.pattern, "reflection-per-call");
}

//! `tacho watch`: calls one by one.

use super::ended;
use tacho_diagnosis::live::{Watched, WatchedCall};
use tacho_figures as figures;
use tacho_foreign::one_line;

/// The last lines on the terminal, after the calls.
#[must_use]
pub fn watch(watched: &Watched) -> String {
    let meanwhile = figures::seconds(watched.elapsed.as_secs_f64());
    let removed = ended(&watched.removed);
    let calls = figures::counted(watched.calls.len() as u64, "1 call", "calls");
    format!("{calls} in {meanwhile}.\n{removed}")
}

/// Prints one call. Text that comes from the service never begins a line.
#[must_use]
pub fn call(call: &WatchedCall) -> String {
    let at_s = call.at_ns as f64 / 1e9;
    let (method, arguments) = (one_line(&call.method), one_line(&call.arguments.join(", ")));
    let outcome = match (&call.exception, &call.result) {
        (Some(exception), _) => format!("threw {}", one_line(exception)),
        (None, Some(result)) => format!("gave {}", one_line(result)),
        (None, None) => "done".to_owned(),
    };
    let took = figures::value(call.took_ns as f64, "ns");
    let thread = one_line(&call.thread);
    let caller = call.frames.first();
    let caller = caller.map(|caller| format!("{:13}called at {}\n", "", one_line(caller)));
    format!("{at_s:>9.3} s  {method}({arguments})\n")
        + &format!("{:13}{outcome}, {took}, in {thread}\n", "")
        + &caller.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_told_with_how_it_ended_and_no_word_of_it_begins_a_line() {
        let mut watched = WatchedCall {
            method: "a.Shop.find".to_owned(),
            thread: "http-1".to_owned(),
            at_ns: 1_500_000_000,
            took_ns: 2_500_000,
            receiver: None,
            arguments: vec!["7".to_owned(), "two\nlines".to_owned()],
            result: Some("Row".to_owned()),
            exception: None,
            frames: vec!["a.Web.get:4".to_owned()],
        };
        insta::assert_snapshot!(call(&watched), @r"
        1.500 s  a.Shop.find(7, two lines)
                 gave Row, 2.50 ms, in http-1
                 called at a.Web.get:4
        ");
        watched.exception = Some("java.io.IOException: no".to_owned());
        assert!(call(&watched).contains("threw java.io.IOException: no, 2.50 ms"));
        (watched.exception, watched.result) = (None, None);
        assert!(call(&watched).contains(" done, 2.50 ms"));
    }
}

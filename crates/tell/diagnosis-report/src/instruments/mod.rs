//! Output of the instruments in a running JVM: counts, a trace, a watch.

mod counts;
mod traced;
mod watched;

pub use counts::{Counting, CountsReport};
pub use traced::{trace, traced_call};
pub use watched::{call, watch};

use tacho_diagnosis::live::Ended;

/// The last lines: how the instrument was taken out.
fn ended(ended: &Ended) -> String {
    let notes = ended.notes.iter().map(|note| format!("note: {note}\n"));
    let (classes, as_before) = (ended.classes, ended.as_before);
    let out = match (classes, ended.clean) {
        (0, _) => "Nothing was instrumented.\n".to_owned(),
        (1, true) if as_before == 1 => {
            "The instruments are out: 1 class is as it was before.\n".to_owned()
        }
        (_, true) if classes == as_before => {
            format!("The instruments are out: {classes} classes are as they were before.\n")
        }
        (_, true) => format!(
            "The instruments are out of all {classes} classes; {as_before} are as they were before.\n"
        ),
        (_, false) => {
            format!("The instruments could not be taken out of all {classes} classes; see above.\n")
        }
    };
    notes.collect::<String>() + &out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_everything_is_as_before_is_the_last_line() {
        let text = |classes, as_before, clean| {
            ended(&Ended {
                classes,
                as_before,
                clean,
                notes: vec!["x".to_owned()],
                interrupted: false,
            })
        };
        assert_eq!(text(0, 0, true), "note: x\nNothing was instrumented.\n");
        assert!(text(2, 2, true).contains("are out: 2 classes are as they were"));
        assert!(text(2, 1, true).contains("out of all 2 classes; 1 are as they were"));
        assert!(text(2, 1, false).contains("could not be taken out of all 2 classes"));
    }
}

//! Redirects that nobody asked for: who measures a redirect to a login measures no service.

use super::tally::Tally;
use tacho_figures::count;

/// Answers that were redirects, beside all answers.
#[derive(Debug, Default)]
pub struct Unfollowed {
    answers: u64,
    redirects: u64,
}

impl Unfollowed {
    /// Adds those of a phase.
    pub fn add(&mut self, tally: &Tally) {
        self.answers += tally.complete();
        self.redirects += tally.redirects();
    }

    /// What to say of it, if more than half of the answers were redirects. Of a recorded session
    /// some are.
    pub fn told(&self) -> Option<String> {
        (self.redirects * 2 > self.answers).then(|| {
            format!(
                "{} of {} answers were redirects (3xx), which were not followed: what they lead to was never requested; request that, follow them (`--follow`), or say that they are meant (`--expect status=302`, in an experiment `status: 302`)",
                count(self.redirects),
                count(self.answers)
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(answers: u64, redirects: u64) -> Option<String> {
        Unfollowed { answers, redirects }.told()
    }

    #[test]
    fn more_than_half_of_the_answers_have_to_be_redirects() {
        assert_eq!(told(0, 0), None);
        assert_eq!(told(10, 5), None);
        let text = told(10_000, 9_800).unwrap();
        assert!(
            text.starts_with("9,800 of 10,000 answers were redirects"),
            "{text}"
        );
    }
}

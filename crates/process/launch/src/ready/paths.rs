//! Which path to ask next, and when the answers mean that the subject is ready. Pure.

/// Readiness paths of the frameworks, the most specific first: Spring Boot's probe and its whole
/// health, Quarkus (SmallRye Health), MicroProfile Health (Open Liberty, Payara, Helidon MP),
/// Helidon 4, and a path that many other services have.
pub const HEALTH_PATHS: [&str; 6] = [
    "/actuator/health/readiness",
    "/actuator/health",
    "/q/health/ready",
    "/health/ready",
    "/observe/health/ready",
    "/health",
];

/// What an answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// Ready, by this.
    Ready(String),
    /// The subject does not know this path: ask the next at once.
    Next,
    /// Not ready yet: ask again after a pause.
    Again,
}

#[derive(Debug, Clone)]
struct Candidate {
    path: String,
    last_status: Option<u16>,
    last_sent_ns: Option<u64>,
}

/// The paths to ask, in their order.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    candidates: Vec<Candidate>,
    at: usize,
    /// Only a 2xx of the one path counts.
    strict: bool,
}

impl Paths {
    /// One path that must answer 2xx.
    pub(super) fn exactly(path: &str) -> Self {
        Self::new([path], true)
    }

    /// Any answer below 500 of one path.
    pub(super) fn any_answer(path: &str) -> Self {
        Self::new([path], false)
    }

    /// The preferred ones, then the health paths, then the experiment's own request, then `/`.
    pub(super) fn find_out(preferred: &[String], own: Option<&str>) -> Self {
        let paths = preferred
            .iter()
            .map(String::as_str)
            .chain(HEALTH_PATHS)
            .chain(own)
            .chain(["/"]);
        Self::new(paths, false)
    }

    fn new<'a>(paths: impl IntoIterator<Item = &'a str>, strict: bool) -> Self {
        let mut candidates: Vec<Candidate> = Vec::new();
        for path in paths {
            if candidates.iter().all(|c| c.path != path) {
                candidates.push(Candidate {
                    path: path.to_owned(),
                    last_status: None,
                    last_sent_ns: None,
                });
            }
        }
        Self {
            candidates,
            at: 0,
            strict,
        }
    }

    /// What to ask now.
    pub(super) fn current(&self) -> &str {
        self.candidates
            .get(self.at)
            .map_or("/", |c| c.path.as_str())
    }

    /// Records when the current path was asked. Returns when it was asked before.
    pub(super) fn asked(&mut self, sent_ns: u64) -> Option<u64> {
        self.candidates
            .get_mut(self.at)?
            .last_sent_ns
            .replace(sent_ns)
    }

    /// The current path was answered.
    pub(super) fn answered(&mut self, status: u16) -> Step {
        let path = self.current().to_owned();
        if let Some(candidate) = self.candidates.get_mut(self.at) {
            candidate.last_status = Some(status);
        }
        match status {
            200..=299 => Step::Ready(format!("GET {path} answered {status}")),
            _ if self.strict => Step::Again,
            // A health path says `not yet` with this status, so only this path is asked from now
            // on.
            503 => Step::Again,
            // The subject may answer every unknown path with another 5xx, so the other paths are
            // asked as well. After a round all of them are asked again.
            _ => self.go_on(),
        }
    }

    fn go_on(&mut self) -> Step {
        if self.at + 1 < self.candidates.len() {
            self.at += 1;
            return Step::Next;
        }
        // Asks again from the first path that failed. If none failed, the subject answers HTTP
        // without knowing any of the paths.
        let failed = |c: &Candidate| c.last_status.is_some_and(|s| s >= 500);
        match self.candidates.iter().position(failed) {
            Some(first) => {
                self.at = first;
                Step::Again
            }
            None => Step::Ready(self.by_answering_http()),
        }
    }

    fn by_answering_http(&self) -> String {
        let last = self.candidates.get(self.at);
        let status = last.and_then(|c| c.last_status).unwrap_or_default();
        format!(
            "it answers HTTP (GET {} answered {status}); none of {} paths answered 2xx",
            self.current(),
            self.candidates.len()
        )
    }

    /// What was seen so far: `GET /health answers 503`.
    pub(super) fn seen(&self) -> Option<String> {
        let told = |c: &&Candidate| c.last_status.is_some_and(|s| s >= 500);
        let candidate = self
            .candidates
            .get(self.at)
            .filter(|c| c.last_status.is_some())
            .or_else(|| self.candidates.iter().find(told))
            .or_else(|| self.candidates.iter().rfind(|c| c.last_status.is_some()))?;
        Some(format!(
            "GET {} answers {}",
            candidate.path, candidate.last_status?
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Asks until ready, at most `limit` times, and gives the paths in their order.
    fn ask(
        paths: &mut Paths,
        limit: usize,
        status_of: impl Fn(&str, usize) -> u16,
    ) -> (Vec<String>, Option<String>) {
        let mut asked = Vec::new();
        for turn in 0..limit {
            let path = paths.current().to_owned();
            let status = status_of(&path, turn);
            asked.push(path);
            if let Step::Ready(by) = paths.answered(status) {
                return (asked, Some(by));
            }
        }
        (asked, None)
    }

    #[test]
    fn a_health_path_that_says_not_yet_is_asked_until_it_says_ready() {
        let mut paths = Paths::find_out(&[], Some("/ping"));
        let (asked, by) = ask(&mut paths, 50, |path, turn| match path {
            "/actuator/health" if turn < 9 => 503,
            "/actuator/health" => 200,
            _ => 404,
        });
        assert_eq!(asked.len(), 10);
        assert_eq!(by.unwrap(), "GET /actuator/health answered 200");
    }

    #[test]
    fn without_health_paths_the_experiments_own_request_decides() {
        let mut paths = Paths::find_out(&[], Some("/ping"));
        let (asked, by) = ask(
            &mut paths,
            50,
            |path, _| if path == "/ping" { 200 } else { 404 },
        );
        assert_eq!(asked.len(), HEALTH_PATHS.len() + 1);
        assert_eq!(by.unwrap(), "GET /ping answered 200");
    }

    #[test]
    fn a_subject_that_knows_no_path_is_ready_when_it_answers() {
        for status in [404, 401, 302, 405] {
            let mut paths = Paths::find_out(&[], None);
            let (asked, by) = ask(&mut paths, 50, |_, _| status);
            assert_eq!(asked.len(), HEALTH_PATHS.len() + 1);
            assert!(by.unwrap().starts_with("it answers HTTP"));
        }
    }

    #[test]
    fn preferred_paths_are_asked_first_and_no_path_twice() {
        let mut paths = Paths::find_out(&["/q/health/ready".into()], Some("/"));
        let (asked, _) = ask(&mut paths, 50, |_, _| 404);
        assert_eq!(asked[0], "/q/health/ready");
        assert_eq!(asked.iter().filter(|p| *p == "/q/health/ready").count(), 1);
        assert_eq!(asked.iter().filter(|p| *p == "/").count(), 1);
    }

    #[test]
    fn a_subject_that_answers_500_to_what_it_does_not_know_is_ready_by_its_own_path() {
        let mut paths = Paths::find_out(&[], Some("/ping"));
        let (_, by) = ask(
            &mut paths,
            50,
            |path, _| if path == "/ping" { 200 } else { 500 },
        );
        assert_eq!(by.unwrap(), "GET /ping answered 200");
    }

    #[test]
    fn answers_of_500_alone_are_not_ready() {
        let mut paths = Paths::find_out(&[], None);
        let (_, by) = ask(&mut paths, 200, |_, _| 500);
        assert_eq!(by, None);
        assert!(paths.seen().unwrap().ends_with("answers 500"));
    }

    #[test]
    fn a_given_path_must_answer_2xx() {
        for status in [404, 401, 302, 500, 503] {
            let mut paths = Paths::exactly("/ready");
            assert_eq!(paths.answered(status), Step::Again);
        }
        assert_eq!(
            Paths::exactly("/ready").answered(204),
            Step::Ready("GET /ready answered 204".into())
        );
    }

    proptest! {
        #[test]
        fn only_answers_below_500_make_ready(statuses in proptest::collection::vec(200u16..600, 1..40)) {
            let mut paths = Paths::find_out(&[], Some("/ping"));
            for status in statuses {
                if let Step::Ready(_) = paths.answered(status) {
                    prop_assert!(status < 500);
                    break;
                }
            }
        }
    }
}

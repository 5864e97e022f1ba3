//! The rules of certificates as people call them.

/// The words for the id of a rule: `failed requests` for `failed-requests`. Files keep the id, and
/// so does `docs/certificate.md`, which has the words beside the ids that are no words.
#[must_use]
pub fn rule_in_words(id: &str) -> String {
    match id {
        "a-a" => "copy of the baseline".to_owned(),
        "generator-cpu" => "generator CPU".to_owned(),
        "littles-law" => "requests at a time".to_owned(),
        "observer-cpu" => "observer CPU".to_owned(),
        other => other.replace('-', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every id stands in the page of the rules, and each whose words are others has them there.
    #[test]
    fn the_words_are_those_of_the_documentation() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/certificate.md");
        let page = std::fs::read_to_string(page).unwrap();
        let ids: Vec<&str> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
            .map(|(id, _)| id)
            .collect();
        for id in ["dispatch-delay", "littles-law", "a-a", "generator-cpu"] {
            assert!(ids.contains(&id), "{id}");
        }
        for id in ids {
            let words = rule_in_words(id);
            assert!(!words.contains('-'), "{words}");
            if words != id.replace('-', " ") {
                let told = format!("`{id}` is *{words}*");
                let page = page.replace('\n', " ");
                assert!(page.contains(&told), "docs/certificate.md lacks: {told}");
            }
        }
    }
}

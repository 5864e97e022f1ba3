//! Finds the known word that was probably meant. Flags, files and templates all use this.

/// Words with a lower similarity count as different.
const ALIKE: f64 = 0.75;
/// A word whose similarity by edits is above this ranks above words that only begin alike.
const FEW_EDITS: f64 = 0.6;
/// A word that is longer than another by more than this factor is no misspelling of it, and is not
/// compared letter by letter: what comes from outside may be long.
const FACTOR: usize = 3;

/// At most three similar words, the most similar first. Words are similar when they begin alike
/// (Jaro-Winkler), or when few edits lead from one to the other (Damerau-Levenshtein).
#[must_use]
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let word = word.to_lowercase();
    let mut alike: Vec<(f64, &str)> = known
        .into_iter()
        .map(|known| (likeness(&word, &known.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0));
    let nearest = alike.into_iter().take(3);
    nearest.map(|(_, known)| known.to_owned()).collect()
}

fn likeness(word: &str, known: &str) -> f64 {
    let (short, long) = (word.len().min(known.len()), word.len().max(known.len()));
    if long > FACTOR * short {
        return 0.0;
    }
    let begins = strsim::jaro_winkler(word, known);
    let edits = strsim::normalized_damerau_levenshtein(word, known);
    if edits > FEW_EDITS {
        begins.max(edits) + edits
    } else {
        begins
    }
}

/// `; did you mean ...?`
#[must_use]
pub fn suggestion(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        words => format!("; did you mean {}?", one_of(words)),
    }
}

/// The same, or everything there is when nothing is near.
#[must_use]
pub fn suggestion_or_all(nearest: &[String], known: &[String]) -> String {
    if nearest.is_empty() && !known.is_empty() {
        return format!("; known: {}", one_of(known));
    }
    suggestion(nearest)
}

/// `a`, `b` or `c`
#[must_use]
pub fn one_of(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_comes_first_and_a_far_one_not_at_all() {
        let names = ["users.email", "users.id", "token"];
        let first = |word: &str| nearest(word, names).into_iter().next();
        assert_eq!(first("users.emial"), Some("users.email".to_owned()));
        assert_eq!(first("tokn"), Some("token".to_owned()));
        assert_eq!(first("TOKEN"), Some("token".to_owned()));
        assert_eq!(first("zzz"), None);
        assert_eq!(first(&"token".repeat(10_000)), None);
    }
}

//! What a diagnosis claims first, as names.

use serde_json::Value;

/// A claim of one cause.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Claim {
    /// `com.acme.Shop.find`, `com.acme.Shop`, `pool.size`, `-Xint`: each of them was named.
    pub names: Vec<String>,
    /// For people.
    pub shown: String,
    /// It was confirmed by putting it back.
    pub confirmed: bool,
}

/// Classes beyond this in one claim are no claim: who names everything has named nothing.
const MOST_CLASSES: usize = 4;

/// The first claim; `None` where nothing is claimed.
pub fn first(report: &Value) -> Option<Claim> {
    confirmed(report).or_else(|| found(report))
}

fn confirmed(report: &Value) -> Option<Claim> {
    let causes = report["counterfactuals"].as_array()?;
    let cause = causes.iter().find(|cause| {
        cause["put_back"].is_object() && cause["gives_back"]["low"].as_f64() > Some(0.0)
    })?;
    let what = &cause["put_back"];
    let names = match what["kind"].as_str()? {
        "classes" => {
            let mut classes = texts(&what["classes"]);
            classes.extend(texts(&what["unused"]));
            match classes.len() <= MOST_CLASSES {
                true => classes
                    .iter()
                    .flat_map(|class| members(report, class))
                    .collect(),
                false => Vec::new(),
            }
        }
        "settings" => {
            let settings = what["settings"].as_array().cloned().unwrap_or_default();
            let names = |one: &Value| [text(&one["key"]), text(&one["file"])];
            settings.iter().flat_map(names).collect()
        }
        "lines" => vec![
            text(&what["now"]),
            text(&what["before"]),
            text(&what["file"]),
        ],
        "file" => vec![text(&what["file"])],
        "library" => vec![text(&what["library"])],
        "launch" => vec![text(&what["what"])],
        _ => Vec::new(),
    };
    let share = cause["gives_back"]["value"].as_f64().unwrap_or_default();
    Some(Claim {
        shown: format!(
            "{} ({:.0} % put back)",
            text(&cause["changed"]),
            share * 100.0
        ),
        names,
        confirmed: true,
    })
}

/// A class and the members of it that differ.
fn members(report: &Value, class: &str) -> Vec<String> {
    let changes = report["changes"]["classes"].as_array();
    let of = changes.into_iter().flatten().filter(|change| {
        let name = text(&change["class"]);
        name == class || name.starts_with(&format!("{class}$"))
    });
    let mut names = vec![class.to_owned()];
    for change in of {
        let name = text(&change["class"]);
        for member in texts(&change["members"]) {
            let member = member
                .strip_prefix("lambda$")
                .map_or(member.as_str(), |rest| rest.trim_end_matches('$'))
                .to_owned();
            names.push(format!("{name}.{member}"));
            names.push(format!("{class}.{member}"));
        }
        names.push(name);
    }
    names
}

fn found(report: &Value) -> Option<Claim> {
    let first = &report["findings"]["findings"][0];
    let owner = first["owner"].as_str()?;
    let class = owner.rsplit_once('.').map_or(owner, |(class, _)| class);
    let counts = first["counts"].as_array().cloned().unwrap_or_default();
    let mut names = vec![owner.to_owned(), class.to_owned()];
    names.extend(counts.iter().map(|count| text(&count["what"])));
    Some(Claim {
        names,
        shown: format!("{} in {owner}", text(&first["pattern"])),
        confirmed: false,
    })
}

/// Whether one of the names that are right was named.
pub fn is_right(claim: &Claim, accept: &[String]) -> bool {
    accept.iter().any(|right| {
        claim.names.iter().any(|name| {
            let ends = name
                .strip_suffix(right.as_str())
                .is_some_and(|before| before.is_empty() || before.ends_with(['.', '/', '$']));
            // A flag or a key within a line.
            let within =
                right.contains(['-', '.']) && !right.contains('(') && name.contains(right.as_str());
            ends || within
        })
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    let all = value.as_array().into_iter().flatten();
    all.filter_map(|one| one.as_str().map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_put_back_is_claimed_before_what_was_sampled() {
        let report = json!({
            "changes": {"classes": [{"class": "com.acme.Rates", "members": ["table", "lambda$load$"]}]},
            "counterfactuals": [{
                "put_back": {"kind": "classes", "classes": ["com.acme.Rates"]},
                "changed": "the class com.acme.Rates", "gives_back": {"value": 0.97, "low": 0.9, "high": 1.0},
            }],
            "findings": {"findings": [{"owner": "io.web.Router.handle", "pattern": "processor-time"}]},
        });
        let claim = first(&report).unwrap();
        let right = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&n| n.to_owned()).collect();
            is_right(&claim, &names)
        };
        assert!(claim.confirmed);
        assert!(right(&["Rates"]) && right(&["Rates.table"]) && right(&["Rates.load"]));
        assert!(!right(&["ates"]) && !right(&["Router.handle"]) && !right(&["Rates.other"]));
    }

    #[test]
    fn a_share_that_may_be_nothing_is_no_claim() {
        let report = json!({
            "counterfactuals": [{
                "put_back": {"kind": "library", "library": "x"},
                "gives_back": {"value": 0.4, "low": -0.1, "high": 1.0},
            }],
            "findings": {"findings": []},
        });
        assert_eq!(first(&report), None);
    }
}

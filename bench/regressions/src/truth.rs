//! What was planted. The file is YAML of a narrow form: one `key: value` a line, lists in brackets,
//! counts in braces.

use std::path::Path;

pub struct Truth {
    kind: String,
    /// Patterns that name it.
    pub patterns: Vec<String>,
    /// `package.Class.method`; of several each is a right answer, the best of them first.
    pub owners: Vec<String>,
    /// What can be counted.
    pub counts: Vec<Count>,
    /// What can be measured.
    pub sizes: Vec<Size>,
}

/// How much more each request of the candidate costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// Of `dissection.json`.
    pub ledger: &'static str,
    /// How many of the ledger's units are one of these.
    pub units: f64,
    /// `ms`, `MiB`.
    pub unit: &'static str,
    pub planted: f64,
}

/// How often something happens in a request of either build.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// Of `dissection.json`; `calls` are those that a trace sees.
    pub ledger: String,
    /// How its key begins.
    pub key: String,
    pub baseline: f64,
    pub candidate: f64,
}

impl Truth {
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let value = |key: &str| {
            let prefix = format!("{key}: ");
            text.lines()
                .find_map(|line| Some(line.strip_prefix(&prefix)?.trim().to_owned()))
        };
        let list = |text: String| {
            let inner = text
                .trim_start_matches('[')
                .trim_end_matches(']')
                .to_owned();
            inner.split(", ").map(str::to_owned).collect()
        };
        Ok(Self {
            kind: value("kind").ok_or_else(|| format!("{} has no kind", path.display()))?,
            patterns: value("patterns").map_or_else(Vec::new, list),
            owners: ["owner", "also"].into_iter().filter_map(value).collect(),
            counts: text.lines().filter_map(count).collect(),
            sizes: text.lines().filter_map(size).collect(),
        })
    }

    pub fn is_planted(&self) -> bool {
        self.kind != "none"
    }
}

/// `  - {what: class-look-ups, key: org.x.Y, outcome: absent, baseline: 0, candidate: 24}`
fn count(line: &str) -> Option<Count> {
    let inner = line.trim().strip_prefix("- {")?.strip_suffix('}')?;
    let field = |name: &str| {
        let (_, rest) = inner.split_once(&format!("{name}: "))?;
        // A key may hold commas: the next field ends it.
        let end = rest
            .find(", key: ")
            .or_else(|| rest.find(", outcome: "))
            .or_else(|| rest.find(", baseline: "))
            .or_else(|| rest.find(", candidate: "));
        Some(
            rest[..end.unwrap_or(rest.len())]
                .trim_matches(['\'', '"'])
                .to_owned(),
        )
    };
    Some(Count {
        ledger: field("ledger")?,
        // Sleeps have none.
        key: field("key").unwrap_or_default(),
        baseline: field("baseline")?.parse().ok()?,
        candidate: field("candidate")?.parse().ok()?,
    })
}

/// `processor-time: {baseline: 0ms, candidate: 2ms}`, `allocation: {baseline: 8KiB, candidate:
/// 4MiB}`
fn size(line: &str) -> Option<Size> {
    let (ledger, unit, units) = match line.split_once(": ")?.0 {
        "processor-time" => ("processor", "ms", 1e6),
        "allocation" => ("allocation", "MiB", 1024.0 * 1024.0),
        _ => return None,
    };
    let of = |build: &str| {
        let (_, rest) = line.split_once(&format!("{build}: "))?;
        amount(rest.split([',', '}']).next()?)
    };
    Some(Size {
        ledger,
        units,
        unit,
        planted: (of("candidate")? - of("baseline")?) / units,
    })
}

/// In nanoseconds or bytes.
fn amount(text: &str) -> Option<f64> {
    let units = [("ms", 1e6), ("KiB", 1024.0), ("MiB", 1024.0 * 1024.0)];
    let (number, unit) = units
        .into_iter()
        .find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    Some(number.parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::{count, size};

    #[test]
    fn sizes_are_read() {
        let read = |line| size(line).map(|size| (size.ledger, size.unit, size.planted));
        assert_eq!(
            read("processor-time: {baseline: 0ms, candidate: 2ms}"),
            Some(("processor", "ms", 2.0))
        );
        assert_eq!(
            read("allocation: {baseline: 512KiB, candidate: 4MiB}"),
            Some(("allocation", "MiB", 3.5))
        );
        assert_eq!(read("lock: shop.stock.StockBook"), None);
    }

    #[test]
    fn counts_are_read() {
        let read = |line: &str| {
            let count = count(line).unwrap();
            (count.ledger, count.key, count.baseline, count.candidate)
        };
        let line = "  - {ledger: class-look-ups, key: org.x.Y, outcome: absent, baseline: 0, candidate: 24}";
        let text = str::to_owned;
        assert_eq!(
            read(line),
            (text("class-look-ups"), text("org.x.Y"), 0.0, 24.0)
        );
        let line = "  - {ledger: regexes, key: '[a, b]+', baseline: 1, candidate: 3}";
        assert_eq!(read(line), (text("regexes"), text("[a, b]+"), 1.0, 3.0));
        let line = "  - {ledger: sleeps, baseline: 0, candidate: 1}";
        assert_eq!(read(line), (text("sleeps"), String::new(), 0.0, 1.0));
        assert_eq!(count("counts: []"), None);
    }
}

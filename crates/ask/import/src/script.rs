//! Scripts of other load generators. They are programs: what they send is only known when they run.

use crate::ImportError;
use crate::format;

const WAY_OUT: &str = "run it once against what `tacho record URL -o sent.jsonl` listens at, and give `-t sent.jsonl`; or give the HAR file, the Postman collection or the OpenAPI document that there is of the service. How many and how fast is said by -c, --rate and --ramp, what has to hold by --check";

/// The load generator that a script is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// JavaScript or TypeScript of k6.
    K6,
    /// A simulation of Gatling, in Scala, Java, Kotlin, JavaScript or TypeScript.
    Gatling,
}

impl Script {
    /// The load generator of a file, by what the file's beginning imports or extends. The first
    /// line that shows one decides, because a document may quote a script, and a script may contain
    /// an address.
    pub fn guess(start: &[u8]) -> Option<Self> {
        let start = String::from_utf8_lossy(start);
        let start = start.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(['{', '<']) {
            return None;
        }
        let mut lines = start
            .lines()
            .map(str::trim)
            .filter(|line| !line.starts_with('#'));
        let told = lines.find_map(|line| match by_line(line) {
            Some(script) => Some(Some(script)),
            None => format::by_line(line).map(|_| None),
        });
        told.flatten()
    }

    /// Why it is not read, and what to do instead.
    pub fn refused(self) -> ImportError {
        ImportError::Unsupported {
            what: match self {
                Self::K6 => "this is a script of k6, a program that is not read here",
                Self::Gatling => "this is a simulation of Gatling, a program that is not read here",
            },
            way_out: WAY_OUT,
        }
    }
}

fn by_line(line: &str) -> Option<Script> {
    if let Some(script) = imported(line).find_map(by_module) {
        return Some(script);
    }
    let is_import = line.starts_with("import ") && line.contains("io.gatling.");
    (is_import || is_simulation(line)).then_some(Script::Gatling)
}

fn by_module(name: &str) -> Option<Script> {
    match name.split('/').next()? {
        "k6" => Some(Script::K6),
        "@gatling.io" => Some(Script::Gatling),
        _ => None,
    }
}

/// What a line of JavaScript imports, also one of a bundle: texts after `from`, `import` and
/// `require(`.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices(['"', '\'']).filter_map(|(at, quote)| {
        let before = line[..at].trim_end();
        let words = ["from", "import", "import(", "require("];
        if !words.iter().any(|word| before.ends_with(word)) {
            return None;
        }
        let (name, _) = line[at + quote.len()..].split_once(quote)?;
        Some(name)
    })
}

/// `class Shop extends Simulation`, and `class Shop : Simulation()` of Kotlin.
fn is_simulation(line: &str) -> bool {
    let line = line.replace(':', " : ");
    let words: Vec<&str> = line
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        .filter(|word| !word.is_empty())
        .collect();
    let follows = |before: &str| words.windows(2).any(|two| two == [before, "Simulation"]);
    words.contains(&"class") && (follows("extends") || follows(":"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use std::path::Path;

    fn of(text: &str) -> Option<Script> {
        Script::guess(text.as_bytes())
    }

    #[test]
    fn scripts_are_known_for_what_they_are() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scripts");
        let mut seen = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read(&path).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            let expected = match name.starts_with("k6") {
                true => Script::K6,
                false => Script::Gatling,
            };
            assert_eq!(Script::guess(&text), Some(expected), "{name}");
            // Nobody takes it for something else.
            assert_eq!(Format::guess(&text, Some(&path)), None, "{name}");
            seen += 1;
        }
        assert_eq!(seen, 6);
    }

    #[test]
    fn one_line_is_enough() {
        for (text, script) in [
            ("import { check } from \"k6\";", Script::K6),
            ("import 'k6/x/sql'", Script::K6),
            ("} from 'k6';", Script::K6),
            ("\u{feff}\nconst http = require('k6/http')", Script::K6),
            (
                "abstract class A(n: Int) extends Simulation with B {",
                Script::Gatling,
            ),
            ("open class A : Simulation() {", Script::Gatling),
            ("class A: Simulation() {", Script::Gatling),
        ] {
            assert_eq!(of(text), Some(script), "{text}");
        }
    }

    #[test]
    fn what_quotes_a_script_or_is_like_one_is_none() {
        for text in [
            "GET http://a/\nX-Was: import http from 'k6/http'\n",
            "# import http from 'k6/http'\nGET http://a/\n",
            "openapi: 3.1.0\nx-samples: |\n  import http from 'k6/http';\n",
            "{\"log\": {\"entries\": [\n\"import http from 'k6/http'\"]}}",
            "<jmeterTestPlan>\nimport io.gatling.core.Predef._\n",
            "import http from 'k6-http'\n",
            "import fs from 'fs'\nconst k6 = 'k6/http'\n",
            "class Shop extends SimulationOfTraffic {\n",
            "// this class extends a Simulation\n",
            "",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}

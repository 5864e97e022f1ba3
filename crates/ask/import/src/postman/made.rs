//! Postman's dynamic variables, which are made anew in each place: `{{$guid}}`, `{{$timestamp}}`.
//! <https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list/>

use super::tokens::{Token, tokens};
use crate::template::Template;

/// What Tacho uses in their place. Identifiers, times and numbers are of the same kind; addresses
/// are ones that nobody owns (RFC 2606, RFC 3849).
#[rustfmt::skip]
const MADE: [(&str, &str); 24] = [
    ("$guid", "{{uuid}}"),
    ("$randomUUID", "{{uuid}}"),
    ("$timestamp", "{{now s}}"),
    ("$isoTimestamp", "{{now iso}}"),
    ("$randomInt", "{{random 0 1000}}"),
    ("$randomPrice", "{{random 0 999}}.{{random 10 99}}"),
    ("$randomBankAccount", "{{random 10000000 99999999}}"),
    ("$randomCreditCardMask", "{{random 1000 9999}}"),
    ("$randomPhoneNumber", "{{random 200 999}}-{{random 200 999}}-{{random 1000 9999}}"),
    ("$randomPhoneNumberExt", "{{random 10 99}}-{{random 200 999}}-{{random 200 999}}-{{random 1000 9999}}"),
    ("$randomAlphaNumeric", "{{random 0 9}}"),
    ("$randomHexColor", "#{{random 100000 999999}}"),
    ("$randomLatitude", "{{random -89 89}}.{{random 1000 9999}}"),
    ("$randomLongitude", "{{random -179 179}}.{{random 1000 9999}}"),
    ("$randomIP", "{{random 1 254}}.{{random 0 255}}.{{random 0 255}}.{{random 1 254}}"),
    ("$randomIPV6", "2001:db8:{{random 1000 9999}}:{{random 1000 9999}}:{{random 1000 9999}}:{{random 1000 9999}}:{{random 1000 9999}}:{{random 1000 9999}}"),
    ("$randomDomainName", "host-{{random 1 999999}}.example"),
    ("$randomUrl", "https://host-{{random 1 999999}}.example"),
    ("$randomSemver", "{{random 0 9}}.{{random 0 9}}.{{random 0 9}}"),
    ("$randomEmail", "user-{{random 1 999999999}}@example.com"),
    ("$randomExampleEmail", "user-{{random 1 999999999}}@example.com"),
    ("$randomUserName", "user-{{random 1 999999999}}"),
    ("$randomPassword", "p{{random 10000000000000 99999999999999}}"),
    ("$randomMACAddress", "{{random 10 99}}:{{random 10 99}}:{{random 10 99}}:{{random 10 99}}:{{random 10 99}}:{{random 10 99}}"),
];

/// What only Postman makes: names of people, places and things, pictures, dates.
#[rustfmt::skip]
const NOT_MADE: [&str; 94] = [
    "$randomAbbreviation", "$randomAbstractImage", "$randomAdjective",
    "$randomAnimalsImage", "$randomAvatarImage", "$randomBankAccountBic", "$randomBankAccountIban",
    "$randomBankAccountName", "$randomBitcoin", "$randomBoolean", "$randomBs", "$randomBsAdjective",
    "$randomBsBuzz", "$randomBsNoun", "$randomBusinessImage", "$randomCatchPhrase",
    "$randomCatchPhraseAdjective", "$randomCatchPhraseDescriptor", "$randomCatchPhraseNoun",
    "$randomCatsImage", "$randomCity", "$randomCityImage", "$randomColor", "$randomCommonFileExt",
    "$randomCommonFileName", "$randomCommonFileType", "$randomCompanyName", "$randomCompanySuffix",
    "$randomCountry", "$randomCountryCode", "$randomCurrencyCode", "$randomCurrencyName",
    "$randomCurrencySymbol", "$randomDatabaseCollation", "$randomDatabaseColumn",
    "$randomDatabaseEngine", "$randomDatabaseType", "$randomDateFuture", "$randomDatePast",
    "$randomDateRecent", "$randomDepartment", "$randomDirectoryPath",
    "$randomDomainSuffix", "$randomDomainWord", "$randomFashionImage", "$randomFileExt",
    "$randomFileName", "$randomFilePath", "$randomFileType", "$randomFirstName", "$randomFoodImage",
    "$randomFullName", "$randomImageDataUri", "$randomImageUrl",
    "$randomIngverb", "$randomJobArea", "$randomJobDescriptor", "$randomJobTitle", "$randomJobType",
    "$randomLastName", "$randomLocale", "$randomLoremLines", "$randomLoremParagraph",
    "$randomLoremParagraphs", "$randomLoremSentence", "$randomLoremSentences", "$randomLoremSlug",
    "$randomLoremText", "$randomLoremWord", "$randomLoremWords", "$randomMimeType", "$randomMonth",
    "$randomNamePrefix", "$randomNameSuffix", "$randomNatureImage", "$randomNightlifeImage",
    "$randomNoun", "$randomPeopleImage", "$randomPhrase", "$randomProduct",
    "$randomProductAdjective", "$randomProductMaterial", "$randomProductName", "$randomProtocol",
    "$randomSportsImage", "$randomStreetAddress", "$randomStreetName", "$randomTransactionType",
    "$randomTransportImage", "$randomUserAgent", "$randomVerb", "$randomWeekday",
    "$randomWord", "$randomWords",
];

/// What is made for a name, as a template of Tacho's.
fn made(name: &str) -> Option<&'static str> {
    MADE.iter()
        .find(|(known, _)| *known == name)
        .map(|(_, template)| *template)
}

pub(super) fn is_made(name: &str) -> bool {
    made(name).is_some()
}

/// Whether Postman makes it, and Tacho does not.
pub(super) fn is_postmans(name: &str) -> bool {
    NOT_MADE.contains(&name)
}

/// A text with its variables filled in, except those that are made anew. `change` is applied to the
/// text between them.
pub(super) fn template(text: &str, change: impl Fn(&str) -> String) -> Template {
    let mut template = Template::default();
    for token in tokens(text) {
        match token {
            Token::Text(text) => template.push_text(&change(text)),
            Token::Variable(name) => match made(name) {
                Some(made) => push(&mut template, made, &change),
                None => template.push_text(&change(&format!("{{{{{name}}}}}"))),
            },
        }
    }
    template
}

fn push(template: &mut Template, made: &str, change: impl Fn(&str) -> String) {
    for token in tokens(made) {
        match token {
            Token::Text(text) => template.push_text(&change(text)),
            Token::Variable(expression) => template.push_placeholder(expression),
        }
    }
}

/// Something in it is made anew.
pub(super) fn is_made_anew(text: &str) -> bool {
    tokens(text).any(|token| matches!(token, Token::Variable(name) if is_made(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_workload::Template as Sent;

    #[test]
    fn what_is_made_is_a_template_of_the_engine() {
        for (name, _) in MADE {
            let written = template(&format!("a{{{{{name}}}}}b"), str::to_owned).finish();
            let read = Sent::parse(&written).unwrap();
            assert!(read.as_text().is_none(), "{name}: {written}");
            assert_eq!(read.names().count(), 0, "{name}: {written}");
            assert!(!is_postmans(name), "{name}");
        }
    }

    #[test]
    fn the_rest_stays_text() {
        let text = "{{}} {{$city}} {{x}}";
        let written = template(text, str::to_owned).finish();
        assert_eq!(Sent::parse(&written).unwrap().as_text(), Some(text));
        assert!(is_made_anew("a{{$guid}}") && !is_made_anew(text));
    }

    #[test]
    fn texts_between_are_changed_and_values_are_not() {
        let color = template("{{$randomHexColor}}", |text| text.replace('#', "%23"));
        assert_eq!(color.finish(), "%23{{random 100000 999999}}");
        let written = template("ä {{$isoTimestamp}}", |text| text.to_uppercase());
        assert_eq!(written.finish(), "Ä {{now iso}}");
    }
}

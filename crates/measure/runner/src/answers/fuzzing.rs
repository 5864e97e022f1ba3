//! For `fuzz/`: answers and logs of an image that lie in memory.

use super::ask::Answer;
use super::difference::difference;
use super::metadata::missing;
use tacho_http1::KeptAnswer;

/// How an image's answer with this body departs from the JVM's two.
#[doc(hidden)]
#[must_use]
pub fn compare_answers(jvm: [&[u8]; 2], image: &[u8]) -> Option<String> {
    let answer = |content_type: &[u8], body: &[u8]| {
        Answer::Whole(Box::new(KeptAnswer {
            status: 200,
            headers: vec![("Content-Type".to_owned(), content_type.to_vec())],
            body: body.to_vec(),
            ..KeptAnswer::default()
        }))
    };
    let same_type = |body: &[u8]| answer(b"application/json", body);
    // Of answers of another type the bodies are not compared.
    let other_type = |body: &[u8]| answer(body, b"");
    let [of_body, of_type] = [
        difference(&jvm.map(same_type), &[same_type(image), same_type(image)]),
        difference(
            &jvm.map(other_type),
            &[other_type(image), other_type(image)],
        ),
    ];
    of_body.or(of_type).map(|difference| difference.to_string())
}

/// The classes and resources that an image reports as missing in its log: the message, and the
/// metadata that would add them.
#[doc(hidden)]
#[must_use]
pub fn missing_metadata(image: &str, jvm: &str) -> Option<(String, String)> {
    let lacks = missing(image, jvm);
    (!lacks.is_empty()).then(|| (lacks.seen(), lacks.document()))
}

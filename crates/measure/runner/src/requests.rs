//! From the experiment's requests to what the load engine asks for them.

use crate::error::RunError;
use std::net::SocketAddr;
use std::path::Path;
use tacho_experiment::RequestSpec;
use tacho_load::RequestError;
use tacho_load::{Endpoint, Fixed, Keep, Message, Mix, Rendered, Request, Scripted, Source};
use tacho_workload::{Body, Scenario, Step, Workload};

/// The experiment's requests for an address. What is the same each time is rendered once; only a
/// mix in which a body differs each time is made request by request.
pub fn source(
    requests: &[RequestSpec],
    address: SocketAddr,
    seed: u64,
) -> Result<(Endpoint, Box<dyn Source>), RunError> {
    let endpoint = endpoint(address);
    let source: Box<dyn Source> = if requests.iter().any(|request| request.template.is_some()) {
        let workload = workload(requests);
        Box::new(Scripted::of(&workload, Path::new("."), &endpoint, seed)?)
    } else {
        let requests: Vec<Request> = requests.iter().map(request).collect();
        Box::new(Fixed::new(Mix::new(&requests, &endpoint, seed)?))
    };
    Ok((endpoint, source))
}

/// One of them as it goes over the wire; without its body where that differs each time.
pub fn bytes(spec: &RequestSpec, address: SocketAddr) -> Result<Vec<u8>, RequestError> {
    let request = request(spec);
    let rendered = Rendered::new(&Message::of(&request), &endpoint(address), Keep::Nothing)?;
    Ok(rendered.bytes().to_vec())
}

fn endpoint(address: SocketAddr) -> Endpoint {
    Endpoint::new(address).with_authority(format!("localhost:{}", address.port()))
}

fn request(spec: &RequestSpec) -> Request {
    Request {
        name: spec.name.clone(),
        method: spec.method.clone(),
        path: spec.path.clone(),
        headers: spec.headers.clone(),
        body: spec.body.clone(),
        weight: spec.weight,
    }
}

fn workload(requests: &[RequestSpec]) -> Workload {
    Workload {
        scenarios: requests
            .iter()
            .map(|spec| Scenario {
                name: spec.name.clone(),
                weight: spec.weight,
                steps: vec![step(spec)],
            })
            .collect(),
        ..Workload::default()
    }
}

/// Only the body is a template: what looks like one elsewhere is meant as it stands.
fn step(spec: &RequestSpec) -> Step {
    let verbatim = |text: &str| text.replace("{{", "{{\"{{\"}}");
    Step {
        name: spec.name.clone(),
        method: spec.method.clone(),
        path: verbatim(&spec.path),
        headers: spec
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), verbatim(value)))
            .collect(),
        body: match &spec.template {
            Some(template) => Body::Template(template.clone()),
            None if spec.body.is_empty() => Body::None,
            None => Body::Bytes(spec.body.clone()),
        },
        ..Step::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: ([u8; 4], u16) = ([127, 0, 0, 1], 8080);

    fn spec(template: Option<&str>) -> RequestSpec {
        RequestSpec {
            template: template.map(str::to_owned),
            ..RequestSpec::parse("POST /users?q={{x}}").unwrap()
        }
    }

    #[test]
    fn a_body_that_differs_is_made_anew_for_each_request() {
        let requests = [spec(Some("n={{counter}}"))];
        let (_, mut source) = source(&requests, ADDRESS.into(), 1).unwrap();
        source.start_phase(0).unwrap();
        let mut sent = |n| match source.begin(0, 0, n) {
            tacho_load::Begun::Send(_, request) => {
                String::from_utf8(request.bytes().to_vec()).unwrap()
            }
            other => panic!("{other:?}"),
        };
        let (first, second) = (sent(0), sent(1));
        assert!(
            first.starts_with("POST /users?q={{x}} HTTP/1.1\r\n"),
            "{first}"
        );
        assert_ne!(first, second);
        assert!(first.contains("\r\n\r\nn="), "{first}");
    }

    #[test]
    fn a_template_that_cannot_be_filled_is_refused_by_name() {
        let refused = source(&[spec(Some("{{feed.column}}"))], ADDRESS.into(), 1);
        assert!(matches!(refused, Err(RunError::Workload(_))));
    }
}

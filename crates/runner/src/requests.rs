//! From the experiment's requests to the mix of the load engine.

use std::net::SocketAddr;
use tacho_experiment::RequestSpec;
use tacho_load::{Endpoint, Keep, Message, Mix, Rendered, Request, RequestError};

/// Renders the experiment's requests for an address.
pub fn mix(
    requests: &[RequestSpec],
    address: SocketAddr,
    seed: u64,
) -> Result<(Endpoint, Mix), RequestError> {
    let endpoint = endpoint(address);
    let requests: Vec<Request> = requests.iter().map(request).collect();
    let mix = Mix::new(&requests, &endpoint, seed)?;
    Ok((endpoint, mix))
}

/// One of them as it goes over the wire.
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

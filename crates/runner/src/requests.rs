//! From the experiment's requests to the mix of the load engine.

use std::net::SocketAddr;
use tacho_experiment::RequestSpec;
use tacho_load::{Endpoint, Mix, Request, RequestError};

/// Renders the experiment's requests for an address.
pub fn mix(
    requests: &[RequestSpec],
    address: SocketAddr,
    seed: u64,
) -> Result<(Endpoint, Mix), RequestError> {
    let endpoint = Endpoint::new(address).with_authority(format!("localhost:{}", address.port()));
    let requests: Vec<Request> = requests.iter().map(request).collect();
    let mix = Mix::new(&requests, &endpoint, seed)?;
    Ok((endpoint, mix))
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

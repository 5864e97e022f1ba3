//! Messages of a WebSocket among the requests: where it is opened, and how.

use super::given::Given;
use tacho_fields::{Fields, Place};
use tacho_workload::{Body, Step, WebSocket};

/// The WebSocket of a request whose body is sent as a message over it, not as an HTTP request.
pub(super) struct Opened {
    place: Place,
    path: String,
    websocket: WebSocket,
}

pub(super) fn read(fields: &mut Fields<'_>, request: Place) -> Given<Opened> {
    let path = fields.text("websocket");
    let has_greeting = fields.has("greeting");
    let greeting = fields.one_of("greeting", "a whole number", |text| text.parse().ok());
    let Some((place, path)) = path else {
        if has_greeting {
            let text = "`greeting` belongs to a message of a WebSocket: `websocket: /quotes`";
            fields.problems.add(request, text);
            return Given::Wrong;
        }
        return Given::Nothing;
    };
    // Each connection is opened once, before the clock starts, so nothing in the request can differ
    // each time.
    if !Step::is_path(&path) || path.contains("{{") {
        let text = format!(
            "`websocket` must begin with `/` and hold no space, `#` or placeholder, not `{path}`"
        );
        fields.problems.add(place, text);
        return Given::Wrong;
    }
    Given::Made(Opened {
        place,
        path,
        websocket: WebSocket {
            greeting: greeting.unwrap_or(0),
        },
    })
}

impl Opened {
    /// The message of a request; otherwise the place and the reason why it cannot be one.
    pub(super) fn message(
        self,
        headers: Vec<(String, String)>,
        body: Body,
    ) -> Result<Step, (Place, String)> {
        if body == Body::None {
            let text =
                "a message of a WebSocket is what its request says: add a `template` or a `body`";
            return Err((self.place, text.to_owned()));
        }
        if let Some((name, _)) = headers.iter().find(|(_, value)| value.contains("{{")) {
            let text = format!(
                "headers open a WebSocket once for all of its messages: write `{name}` without a placeholder, or put it into the message"
            );
            return Err((self.place, text));
        }
        let shown = self
            .path
            .split_once('?')
            .map_or(&*self.path, |(path, _)| path);
        Ok(Step {
            name: tacho_masking::current().text(&format!("message to {shown}")),
            headers,
            body,
            websocket: Some(self.websocket),
            ..Step::get(&self.path)
        })
    }
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;

//! Messages of a WebSocket among the requests: where it is opened, and how.

use tacho_fields::{Fields, Place};
use tacho_workload::{Body, Step, WebSocket};

/// Where a request is said, and not asked.
pub(super) struct Opened {
    place: Place,
    path: String,
    websocket: WebSocket,
}

/// Absent where nothing of it is said, or what is said is wrong.
pub(super) fn read(fields: &mut Fields<'_>) -> Option<Opened> {
    let path = fields.text("websocket");
    let greeting = fields.take("greeting").and_then(|node| {
        let place = node.place;
        let (_, text) = fields.text_of(node, "greeting")?;
        let count = text.parse().ok();
        if count.is_none() {
            let text = format!("`greeting` must be a whole number, not `{text}`");
            fields.problems.add(place, text);
        }
        Some((place, count?))
    });
    let Some((place, path)) = path else {
        if let Some((place, _)) = greeting {
            let text = "`greeting` belongs to a message of a WebSocket: `websocket: /quotes`";
            fields.problems.add(place, text);
        }
        return None;
    };
    // Each connection is opened once, before the clock starts: nothing in it differs.
    if !Step::is_path(&path) || path.contains("{{") {
        let text = format!(
            "`websocket` must begin with `/` and hold no space, `#` or placeholder, not `{path}`"
        );
        fields.problems.add(place, text);
        return None;
    }
    let greeting = greeting.map_or(0, |(_, count)| count);
    Some(Opened {
        place,
        path,
        websocket: WebSocket { greeting },
    })
}

impl Opened {
    /// What is said there; else the place and the reason why it cannot be.
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

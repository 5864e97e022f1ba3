package org.stadtnetz.departures.http;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.stadtnetz.departures.board.Board;
import org.stadtnetz.departures.board.BoardRow;

/** The board as displays and apps read it. */
final class BoardJson {

    private BoardJson() {
    }

    static JsonObject of(Board board) {
        JsonArray departures = new JsonArray();
        for (BoardRow row : board.rows()) {
            departures.add(of(row));
        }
        return new JsonObject()
                .put("stop", board.stop())
                .put("departures", departures);
    }

    private static JsonObject of(BoardRow row) {
        JsonObject json = new JsonObject()
                .put("line", row.line())
                .put("destination", row.destination())
                .put("planned", Clock24.text(row.planned()))
                .put("expected", Clock24.text(row.expected()))
                .put("track", row.track());
        return row.note() == null ? json : json.put("note", row.note());
    }
}

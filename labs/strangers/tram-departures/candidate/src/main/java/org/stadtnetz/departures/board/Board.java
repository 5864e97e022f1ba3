package org.stadtnetz.departures.board;

import java.util.List;

public record Board(String stop, List<BoardRow> rows) {
}

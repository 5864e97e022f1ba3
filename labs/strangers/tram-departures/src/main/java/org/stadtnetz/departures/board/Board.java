package org.stadtnetz.departures.board;

import java.util.List;

public final class Board {

    private final String stop;
    private final List<BoardRow> rows;

    public Board(String stop, List<BoardRow> rows) {
        this.stop = stop;
        this.rows = rows;
    }

    public String getStop() {
        return stop;
    }

    public List<BoardRow> getRows() {
        return rows;
    }
}

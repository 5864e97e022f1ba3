package no.fjordlinje.board.notice;

import java.time.Duration;

/** What the bridge or the harbour master reports of a sailing. */
public record Notice(String sailing, Kind kind, Duration delay, String reason) {

    public enum Kind { DELAYED, CANCELLED, OTHER_QUAY }
}

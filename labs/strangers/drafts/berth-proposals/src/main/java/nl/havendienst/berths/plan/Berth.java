package nl.havendienst.berths.plan;

/** A place at a quay. The depth counts from chart datum, so the tide comes on top where the basin is open. */
public record Berth(String id, String quay, double lengthMetres, double depthMetres, boolean tidal, boolean crane) {
}

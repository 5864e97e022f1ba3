package com.mautwerk.statements.statement;

public final class StatementLine {

    private final String passed;
    private final String plate;
    private final String section;
    private final String distance;
    private final String net;
    private final String gross;

    public StatementLine(String passed, String plate, String section, String distance, String net, String gross) {
        this.passed = passed;
        this.plate = plate;
        this.section = section;
        this.distance = distance;
        this.net = net;
        this.gross = gross;
    }

    public String getPassed() {
        return passed;
    }

    public String getPlate() {
        return plate;
    }

    public String getSection() {
        return section;
    }

    public String getDistance() {
        return distance;
    }

    public String getNet() {
        return net;
    }

    public String getGross() {
        return gross;
    }
}

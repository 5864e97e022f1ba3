package com.mautwerk.statements.statement;

import java.util.List;
import java.util.Map;

public final class Statement {

    private final String account;
    private final String holder;
    private final String month;
    private final List<StatementLine> lines;
    private final Map<String, String> byVehicle;
    private final String distance;
    private final String net;
    private final String vat;
    private final String gross;

    Statement(StatementBuilder builder) {
        this.account = builder.account.number();
        this.holder = builder.account.holder();
        this.month = builder.month;
        this.lines = builder.lines;
        this.byVehicle = builder.byVehicle;
        this.distance = builder.distance;
        this.net = builder.net;
        this.vat = builder.vat;
        this.gross = builder.gross;
    }

    public String getAccount() {
        return account;
    }

    public String getHolder() {
        return holder;
    }

    public String getMonth() {
        return month;
    }

    public List<StatementLine> getLines() {
        return lines;
    }

    public Map<String, String> getByVehicle() {
        return byVehicle;
    }

    public String getDistance() {
        return distance;
    }

    public String getNet() {
        return net;
    }

    public String getVat() {
        return vat;
    }

    public String getGross() {
        return gross;
    }
}

package com.mautwerk.statements.statement;

import com.mautwerk.statements.account.TollAccount;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class StatementBuilder {

    final TollAccount account;
    final List<StatementLine> lines = new ArrayList<>();
    final Map<String, String> byVehicle = new TreeMap<>();
    String month;
    String distance;
    String net;
    String vat;
    String gross;

    StatementBuilder(TollAccount account) {
        this.account = account;
    }

    StatementBuilder month(String value) {
        this.month = value;
        return this;
    }

    StatementBuilder line(StatementLine line) {
        lines.add(line);
        return this;
    }

    StatementBuilder vehicle(String plate, String sum) {
        byVehicle.put(plate, sum);
        return this;
    }

    StatementBuilder totals(String distance, String net, String vat, String gross) {
        this.distance = distance;
        this.net = net;
        this.vat = vat;
        this.gross = gross;
        return this;
    }

    Statement build() {
        return new Statement(this);
    }
}

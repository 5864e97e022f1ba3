package com.mautwerk.statements.account;

import java.util.List;

public final class TollAccount {

    private final String number;
    private final String holder;
    private final List<Vehicle> fleet;

    public TollAccount(String number, String holder, List<Vehicle> fleet) {
        this.number = number;
        this.holder = holder;
        this.fleet = List.copyOf(fleet);
    }

    public String number() {
        return number;
    }

    public String holder() {
        return holder;
    }

    public List<Vehicle> fleet() {
        return fleet;
    }
}

package com.mautwerk.statements.pricing;

import java.math.BigDecimal;

public final class Toll {

    public static final Toll NONE = new Toll(BigDecimal.ZERO, BigDecimal.ZERO);

    private final BigDecimal net;
    private final BigDecimal vat;

    public Toll(BigDecimal net, BigDecimal vat) {
        this.net = net;
        this.vat = vat;
    }

    public BigDecimal net() {
        return net;
    }

    public BigDecimal vat() {
        return vat;
    }

    public BigDecimal gross() {
        return net.add(vat);
    }

    public Toll plus(Toll other) {
        return new Toll(net.add(other.net), vat.add(other.vat));
    }
}

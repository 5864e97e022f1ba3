package eu.quayside.freight.quote;

import eu.quayside.freight.ports.Port;

public record Shipment(Port from, Port to, int kilograms) {

    private static final int KILOGRAMS_PER_TONNE = 1000;

    public int tonnesRoundedUp() {
        return (kilograms + KILOGRAMS_PER_TONNE - 1) / KILOGRAMS_PER_TONNE;
    }

    public boolean heavy() {
        return tonnesRoundedUp() > 12;
    }
}

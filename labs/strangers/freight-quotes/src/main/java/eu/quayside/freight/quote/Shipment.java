package eu.quayside.freight.quote;

import eu.quayside.freight.ports.Port;

public record Shipment(Port from, Port to, int kilograms) {

    public int tonnesRoundedUp() {
        return (kilograms + 999) / 1000;
    }
}

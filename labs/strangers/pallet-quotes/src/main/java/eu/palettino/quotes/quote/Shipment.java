package eu.palettino.quotes.quote;

import eu.palettino.quotes.rates.Postcode;
import eu.palettino.quotes.rates.Zone;

public record Shipment(Postcode from, Postcode to, int pallets, int kg) {

    private static final int VOLUME_KG_PER_PALLET = 220;

    public Shipment {
        if (pallets < 1 || pallets > 33) {
            throw new IllegalArgumentException("1 to 33 pallets, not " + pallets);
        }
        if (kg < 1) {
            throw new IllegalArgumentException("a shipment weighs something");
        }
    }

    public int chargeableKg() {
        return Math.max(kg, pallets * VOLUME_KG_PER_PALLET);
    }

    public Zone zone() {
        return Zone.between(from, to);
    }

    public boolean touchesIsland() {
        return from.isIsland() || to.isIsland();
    }
}

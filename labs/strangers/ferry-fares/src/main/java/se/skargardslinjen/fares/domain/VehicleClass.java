package se.skargardslinjen.fares.domain;

import java.util.Locale;
import java.util.Optional;

public enum VehicleClass {
    NONE(0, 0, false),
    BICYCLE(2, 4500, false),
    MOTORCYCLE(5, 9500, true),
    CAR(12, 19800, true),
    CAMPER(24, 34500, true);

    private final int deckUnits;
    private final int baseOre;
    private final boolean needsCarDeck;

    VehicleClass(int deckUnits, int baseOre, boolean needsCarDeck) {
        this.deckUnits = deckUnits;
        this.baseOre = baseOre;
        this.needsCarDeck = needsCarDeck;
    }

    public int deckUnits() {
        return deckUnits;
    }

    public int baseOre() {
        return baseOre;
    }

    public boolean needsCarDeck() {
        return needsCarDeck;
    }

    public static Optional<VehicleClass> parse(String text) {
        if (text == null || text.isBlank()) {
            return Optional.of(NONE);
        }
        String wanted = text.trim().toUpperCase(Locale.ROOT);
        for (VehicleClass each : values()) {
            if (each.name().equals(wanted)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}

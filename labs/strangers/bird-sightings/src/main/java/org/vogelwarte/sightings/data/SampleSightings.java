package org.vogelwarte.sightings.data;

import org.vogelwarte.sightings.model.Sighting;
import org.vogelwarte.sightings.model.Species;

import java.time.LocalDate;
import java.util.Random;

/** Sightings as volunteers might have entered them. */
public class SampleSightings {

    private static final int SIGHTINGS = 24_000;
    private static final String[] HOTSPOTS = {
            "alder-marsh", "beacon-hill", "castle-pond", "dyke-road", "eel-weir", "ferry-meadow", "gravel-pit",
            "heron-island", "ice-pond", "juniper-slope", "kiln-wood", "lower-lock"
    };
    private static final String[] OBSERVERS = {"ada", "bruno", "clara", "david", "emil", "frida", "greta"};

    public void addTo(SightingStore store) {
        Random random = new Random(1_870);
        LocalDate first = LocalDate.of(2023, 1, 1);
        for (int i = 0; i < SIGHTINGS; i++) {
            Species species = Species.values()[random.nextInt(Species.values().length)];
            LocalDate day = first.plusDays(random.nextInt(1_000));
            if (species.migrant() && (day.getMonthValue() < 3 || day.getMonthValue() > 10)) {
                day = day.withMonth(4 + random.nextInt(5)).withDayOfMonth(1 + random.nextInt(28));
            }
            store.add(new Sighting(
                    i + 1,
                    species.key(),
                    HOTSPOTS[random.nextInt(HOTSPOTS.length)],
                    day,
                    1 + (int) Math.abs(random.nextGaussian() * 8),
                    OBSERVERS[random.nextInt(OBSERVERS.length)],
                    random.nextInt(10) > 1));
        }
    }
}

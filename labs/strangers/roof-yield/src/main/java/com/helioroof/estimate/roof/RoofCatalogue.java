package com.helioroof.estimate.roof;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

public final class RoofCatalogue {

    private static final String[] TOWNS = {"Kiel", "Bremen", "Kassel", "Erfurt", "Mainz", "Ulm", "Passau", "Lindau"};
    private static final double[] LATITUDES = {54.3, 53.1, 51.3, 51.0, 50.0, 48.4, 48.6, 47.5};
    private static final int ROOFS = 400;

    private final Map<String, Roof> roofs = new LinkedHashMap<>();

    public static RoofCatalogue sample() {
        RoofCatalogue catalogue = new RoofCatalogue();
        Random random = new Random(1_839);
        for (int i = 0; i < ROOFS; i++) {
            int town = i % TOWNS.length;
            double[] horizon = new double[24];
            for (int s = 0; s < horizon.length; s++) {
                horizon[s] = Math.max(0, random.nextGaussian() * 5 + 3);
            }
            catalogue.add(new Roof(String.format("R-%04d", i + 1), TOWNS[town], LATITUDES[town],
                    15 + random.nextInt(35), random.nextInt(180) - 90, 18 + random.nextInt(60), horizon));
        }
        return catalogue;
    }

    public void add(Roof roof) {
        roofs.put(roof.id(), roof);
    }

    public Optional<Roof> find(String id) {
        return Optional.ofNullable(roofs.get(id));
    }

    public Collection<Roof> all() {
        return roofs.values();
    }

    public List<Roof> inTown(String town) {
        List<Roof> found = new ArrayList<>();
        for (Roof roof : roofs.values()) {
            if (roof.town().equals(town)) {
                found.add(roof);
            }
        }
        return found;
    }

    public int size() {
        return roofs.size();
    }
}

package ch.helvamed.stock.pharmacy;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

@Singleton
public class PharmacyRegister {

    private static final List<Town> TOWNS = List.of(
            new Town("Bern", 2600000, 1199600), new Town("Thun", 2614500, 1178300),
            new Town("Biel", 2585500, 1220800), new Town("Fribourg", 2578900, 1183600));
    private static final String[] NAMES = {"Bären-Apotheke", "Apotheke am Markt", "Bahnhof-Apotheke",
            "Rathaus-Apotheke", "Sonnen-Apotheke", "Dorf-Apotheke"};

    private final Map<String, Pharmacy> pharmacies = new HashMap<>();
    private final Map<String, Town> towns = new HashMap<>();

    public PharmacyRegister() {
        for (int t = 0; t < TOWNS.size(); t++) {
            Town town = TOWNS.get(t);
            towns.put(town.name().toLowerCase(Locale.ROOT), town);
            for (int i = 0; i < NAMES.length; i++) {
                String id = "P" + (100 + t * 10 + i);
                pharmacies.put(id, new Pharmacy(id, NAMES[i], town.name(), town.east() + (i * 379) % 900 - 400,
                        town.north() + (i * 211) % 700 - 350, i == 2));
            }
        }
    }

    public Optional<Pharmacy> byId(String id) {
        return Optional.ofNullable(pharmacies.get(id));
    }

    public Optional<Town> town(String name) {
        return Optional.ofNullable(towns.get(name.toLowerCase(Locale.ROOT)));
    }
}

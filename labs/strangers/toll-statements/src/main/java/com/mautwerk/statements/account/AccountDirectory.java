package com.mautwerk.statements.account;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.springframework.stereotype.Repository;

@Repository
public class AccountDirectory {

    private static final String[] HOLDERS = {
            "Alpenfracht", "Donau Spedition", "Tauern Logistik", "Karawanken Cargo", "Wienerwald Transporte"};
    private static final String[] PROVINCES = {"W", "L", "GU", "SB", "IL", "KL"};

    private final Map<String, TollAccount> accounts = new HashMap<>();

    public AccountDirectory() {
        Random random = new Random(4711);
        for (int i = 1; i <= 300; i++) {
            String number = String.format("T%05d", i);
            accounts.put(number, new TollAccount(number, HOLDERS[i % HOLDERS.length] + " " + i, fleet(random)));
        }
    }

    public TollAccount get(String number) {
        TollAccount account = accounts.get(number);
        if (account == null) {
            throw new UnknownAccountException(number);
        }
        return account;
    }

    private static List<Vehicle> fleet(Random random) {
        List<Vehicle> fleet = new ArrayList<>();
        int size = 2 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
            String plate = PROVINCES[random.nextInt(PROVINCES.length)] + "-" + (1_000 + random.nextInt(9_000)) + "TK";
            EmissionClass[] classes = EmissionClass.values();
            fleet.add(new Vehicle(plate, 2 + random.nextInt(4), classes[random.nextInt(classes.length)]));
        }
        return fleet;
    }
}

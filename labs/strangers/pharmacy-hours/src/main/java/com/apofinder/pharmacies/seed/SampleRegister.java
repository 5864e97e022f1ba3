package com.apofinder.pharmacies.seed;

import com.apofinder.pharmacies.duty.EmergencyDuty;
import com.apofinder.pharmacies.duty.EmergencyDutyRepository;
import com.apofinder.pharmacies.hours.OpeningHoursFormat;
import com.apofinder.pharmacies.register.Address;
import com.apofinder.pharmacies.register.Pharmacy;
import com.apofinder.pharmacies.register.PharmacyRepository;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/** Fills an empty register with an invented city. */
@Component
public class SampleRegister implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(SampleRegister.class);

    private static final String[] NAMES = {
            "Adler", "Linden", "Rathaus", "Löwen", "Sonnen", "Markt", "Stern", "Brunnen", "Kloster", "Park"};
    private static final String[] STREETS = {
            "Hauptstraße", "Bahnhofstraße", "Lindenallee", "Am Markt", "Schulgasse", "Ringstraße", "Uferweg"};
    private static final String[] WEEKS = {
            "Mo-Fr 08:00-18:30; Sa 08:30-13:00",
            "Mo-Fr 08:30-12:30, 14:00-18:00; Sa 09:00-12:00",
            "Mo-Di 08:00-19:00; Mi 08:00-13:00; Do-Fr 08:00-19:00; Sa 09:00-14:00",
            "Mo-Sa 07:30-20:00",
            "Mo 09:00-18:00; Di 09:00-12:00, 15:00-19:00; Mi 09:00-18:00; Do 09:00-20:00; Fr 09:00-17:00",
            "Mo-Sa 08:00-22:00; So 10:00-18:00"};

    private static final LocalDate FIRST_DUTY = LocalDate.of(2024, 5, 1);
    private static final int DUTY_DAYS = 31;

    private final PharmacyRepository pharmacies;
    private final EmergencyDutyRepository duties;
    private final SampleProperties properties;

    public SampleRegister(PharmacyRepository pharmacies, EmergencyDutyRepository duties,
            SampleProperties properties) {
        this.pharmacies = pharmacies;
        this.duties = duties;
        this.properties = properties;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (pharmacies.count() > 0) {
            return;
        }
        Random random = new Random(20240514);
        List<Pharmacy> sample = new ArrayList<>();
        for (int district = 1; district <= properties.districts(); district++) {
            String code = String.format(Locale.ROOT, "D%02d", district);
            for (int i = 1; i <= properties.pharmaciesPerDistrict(); i++) {
                sample.add(pharmacy(random, code, district, i));
            }
        }
        pharmacies.saveAll(sample);
        duties.saveAll(rota(sample));
        log.info("register filled with {} pharmacies", sample.size());
    }

    private static List<EmergencyDuty> rota(List<Pharmacy> pharmacies) {
        Map<String, List<Pharmacy>> byDistrict =
                pharmacies.stream().collect(Collectors.groupingBy(Pharmacy::district, TreeMap::new, Collectors.toList()));
        List<EmergencyDuty> rota = new ArrayList<>();
        byDistrict.forEach((district, local) -> {
            for (int day = 0; day < DUTY_DAYS; day++) {
                rota.add(new EmergencyDuty(district, FIRST_DUTY.plusDays(day), local.get(day % local.size())));
            }
        });
        return rota;
    }

    private static Pharmacy pharmacy(Random random, String district, int number, int i) {
        String street = STREETS[random.nextInt(STREETS.length)];
        Address address = new Address(street, String.valueOf(1 + random.nextInt(140)),
                String.format(Locale.ROOT, "%05d", 50_000 + number * 7));
        return new Pharmacy(
                String.format(Locale.ROOT, "AP-%s-%03d", district, i),
                NAMES[random.nextInt(NAMES.length)] + "-Apotheke",
                district,
                address,
                "0221 " + (100_000 + random.nextInt(900_000)),
                OpeningHoursFormat.parse(WEEKS[random.nextInt(WEEKS.length)]));
    }
}

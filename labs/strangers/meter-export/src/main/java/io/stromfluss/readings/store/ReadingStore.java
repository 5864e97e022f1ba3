package io.stromfluss.readings.store;

import io.stromfluss.readings.ReadingProperties;
import io.stromfluss.readings.meter.Meter;
import io.stromfluss.readings.meter.MeterDirectory;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Holds the readings of the current quarter of the year in memory. */
@Component
public class ReadingStore {

    private static final Logger log = LoggerFactory.getLogger(ReadingStore.class);
    private static final Duration QUARTER = Duration.ofMinutes(15);

    private final Map<String, DayProfile[]> profiles = new HashMap<>();
    private final LocalDate firstDay;
    private final ZoneId zone;

    public ReadingStore(MeterDirectory meters, ReadingProperties properties) {
        this.firstDay = properties.firstDay();
        this.zone = properties.zone();
        for (Meter meter : meters.all()) {
            profiles.put(meter.id(), invent(meter, properties.days()));
        }
        log.info("{} meters with {} days each", profiles.size(), properties.days());
    }

    public List<Reading> find(Meter meter, LocalDate from, int days) {
        DayProfile[] profile = profiles.get(meter.id());
        List<Reading> readings = new ArrayList<>(days * 96);
        for (int i = 0; i < days; i++) {
            LocalDate date = from.plusDays(i);
            int index = Math.toIntExact(date.toEpochDay() - firstDay.toEpochDay());
            if (index >= 0 && index < profile.length) {
                addDay(readings, date, profile[index]);
            }
        }
        return readings;
    }

    private void addDay(List<Reading> readings, LocalDate date, DayProfile day) {
        Instant start = date.atStartOfDay(zone).toInstant();
        for (int quarter = 0; quarter < day.size(); quarter++) {
            readings.add(new Reading(start, day.wattHours(quarter), day.quality(quarter)));
            start = start.plus(QUARTER);
        }
    }

    private DayProfile[] invent(Meter meter, int days) {
        SplittableRandom random = new SplittableRandom(meter.marketLocation().hashCode());
        DayProfile[] profile = new DayProfile[days];
        for (int day = 0; day < days; day++) {
            LocalDate date = firstDay.plusDays(day);
            Duration length = Duration.between(date.atStartOfDay(zone), date.plusDays(1).atStartOfDay(zone));
            profile[day] = new DayProfile((int) length.dividedBy(QUARTER));
            for (int quarter = 0; quarter < profile[day].size(); quarter++) {
                double usual = meter.group().wattHoursInQuarterOf(Math.min(23, quarter / 4));
                int wattHours = (int) Math.round(usual * (0.6 + 0.8 * random.nextDouble()));
                Quality quality = random.nextInt(80) == 0 ? Quality.ESTIMATED : Quality.MEASURED;
                profile[day].set(quarter, wattHours, quality);
            }
        }
        return profile;
    }
}

package org.huettenbuch.web.occupancy;

import org.huettenbuch.web.HutProperties;
import org.huettenbuch.web.hut.Hut;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.springframework.stereotype.Service;

@Service
public class OccupancyBook {

    private final HutProperties properties;

    public OccupancyBook(HutProperties properties) {
        this.properties = properties;
    }

    public List<Night> nights(Hut hut, LocalDate from, int count) {
        List<Night> nights = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            LocalDate date = from.plusDays(i);
            nights.add(properties.inSeason(date) ? Night.of(date, hut.beds() - booked(hut, date)) : Night.closed(date));
        }
        return nights;
    }

    private static int booked(Hut hut, LocalDate date) {
        SplittableRandom random = new SplittableRandom(hut.id().hashCode() * 1_021L + date.toEpochDay());
        double popularity = hut.isHigh() ? 0.55 : 0.7;
        if (date.getDayOfWeek() == DayOfWeek.FRIDAY || date.getDayOfWeek() == DayOfWeek.SATURDAY) {
            popularity += 0.35;
        }
        return (int) (hut.beds() * popularity * (0.5 + random.nextDouble()));
    }
}

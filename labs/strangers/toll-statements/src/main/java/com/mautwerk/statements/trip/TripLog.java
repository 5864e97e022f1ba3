package com.mautwerk.statements.trip;

import com.mautwerk.statements.StatementProperties;
import com.mautwerk.statements.account.TollAccount;
import com.mautwerk.statements.account.Vehicle;

import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.springframework.stereotype.Repository;

/** The trips as the gantries reported them. This edition invents them from the account's number. */
@Repository
public class TripLog {

    private static final Section[] SECTIONS = Section.values();

    private final int tripsPerMonth;

    public TripLog(StatementProperties properties) {
        this.tripsPerMonth = properties.tripsPerMonth();
    }

    public List<Trip> of(TollAccount account, YearMonth month) {
        SplittableRandom random = new SplittableRandom(account.number().hashCode() * 31L + month.hashCode());
        List<Trip> trips = new ArrayList<>(tripsPerMonth);
        for (int i = 0; i < tripsPerMonth; i++) {
            LocalDateTime passedAt = month.atDay(1 + random.nextInt(month.lengthOfMonth()))
                    .atTime(random.nextInt(24), random.nextInt(60), random.nextInt(60));
            Vehicle vehicle = account.fleet().get(random.nextInt(account.fleet().size()));
            trips.add(new Trip(passedAt, SECTIONS[random.nextInt(SECTIONS.length)], vehicle));
        }
        trips.sort(Comparator.comparing(Trip::passedAt));
        return trips;
    }
}

package eu.fuhrpark.reports.report;

import eu.fuhrpark.reports.trips.Trip;
import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigDecimal;
import java.util.List;

/** What drivers are paid beside their wages for a day on the road. */
@ApplicationScoped
public class AllowanceRules {

    private static final BigDecimal PER_HOUR = new BigDecimal("2.20");
    private static final BigDecimal NIGHT = new BigDecimal("15.00");
    private static final BigDecimal DAILY_MAXIMUM = new BigDecimal("26.40");
    private static final int FREE_MINUTES = 180;

    public BigDecimal forDay(List<Trip> tripsOfDay) {
        int minutes = 0;
        boolean night = false;
        for (Trip trip : tripsOfDay) {
            minutes += trip.minutes();
            night |= trip.night();
        }
        BigDecimal allowance = BigDecimal.ZERO;
        if (minutes > FREE_MINUTES) {
            allowance = PER_HOUR.multiply(BigDecimal.valueOf((minutes + 59) / 60)).min(DAILY_MAXIMUM);
        }
        return (night ? allowance.add(NIGHT) : allowance).setScale(2);
    }
}

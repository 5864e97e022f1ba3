package eu.fuhrpark.reports.report;

import eu.fuhrpark.reports.trips.Trip;
import eu.fuhrpark.reports.trips.TripArchive;
import jakarta.enterprise.context.ApplicationScoped;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

@ApplicationScoped
public class ReportBuilder {

    private final TripArchive archive;
    private final AllowanceRules allowances;
    private final SheetWriter sheets;

    public ReportBuilder(TripArchive archive, AllowanceRules allowances, SheetWriter sheets) {
        this.archive = archive;
        this.allowances = allowances;
        this.sheets = sheets;
    }

    public MonthlyReport build(String vehicle, YearMonth month) {
        List<Trip> trips = archive.of(vehicle, month);
        List<DayTotal> days = days(trips);
        BigDecimal kilometres = sum(days, DayTotal::kilometres);
        BigDecimal litres = sum(days, DayTotal::litres);
        BigDecimal perHundred = kilometres.signum() == 0 ? BigDecimal.ZERO
                : litres.movePointRight(2).divide(kilometres, 2, RoundingMode.HALF_UP);
        String sheet = sheets.write(vehicle, trips);
        return new MonthlyReport(vehicle, month, kilometres, litres, perHundred, sum(days, DayTotal::allowance),
                destinations(trips), days, sheets.digest(sheet));
    }

    private List<DayTotal> days(List<Trip> trips) {
        Map<LocalDate, List<Trip>> byDay = new TreeMap<>();
        for (Trip trip : trips) {
            byDay.computeIfAbsent(trip.day(), day -> new ArrayList<>()).add(trip);
        }
        List<DayTotal> days = new ArrayList<>(byDay.size());
        byDay.forEach((day, ofDay) -> {
            long metres = ofDay.stream().mapToLong(Trip::metres).sum();
            long millilitres = ofDay.stream().mapToLong(Trip::millilitres).sum();
            days.add(new DayTotal(day, ofDay.size(), thousandths(metres), thousandths(millilitres),
                    allowances.forDay(ofDay)));
        });
        return days;
    }

    private static List<DestinationShare> destinations(List<Trip> trips) {
        Map<String, List<Trip>> byDestination = new TreeMap<>();
        for (Trip trip : trips) {
            byDestination.computeIfAbsent(trip.destination(), d -> new ArrayList<>()).add(trip);
        }
        List<DestinationShare> shares = new ArrayList<>();
        byDestination.forEach((destination, visits) -> shares.add(new DestinationShare(destination, visits.size(),
                thousandths(visits.stream().mapToLong(Trip::metres).sum()))));
        shares.sort(Comparator.comparing(DestinationShare::kilometres).reversed());
        return shares;
    }

    private static BigDecimal sum(List<DayTotal> days, Function<DayTotal, BigDecimal> what) {
        return days.stream().map(what).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal thousandths(long value) {
        return BigDecimal.valueOf(value, 3).setScale(1, RoundingMode.HALF_UP);
    }
}

package se.skargardslinjen.fares.pricing;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import org.jboss.logging.Logger;

import se.skargardslinjen.fares.domain.Fare;
import se.skargardslinjen.fares.domain.FareLine;
import se.skargardslinjen.fares.domain.InvalidTripException;
import se.skargardslinjen.fares.domain.Route;
import se.skargardslinjen.fares.domain.Season;
import se.skargardslinjen.fares.domain.VehicleClass;
import se.skargardslinjen.fares.surcharge.CallTag;
import se.skargardslinjen.fares.surcharge.SurchargeDirectory;
import se.skargardslinjen.fares.surcharge.SurchargeQuery;
import se.skargardslinjen.fares.surcharge.SurchargeRule;
import se.skargardslinjen.fares.surcharge.SurchargeSheet;

@ApplicationScoped
public class FareCalculator {

    private static final Logger LOG = Logger.getLogger(FareCalculator.class);

    private static final int PASSENGER_BASE_ORE = 3800;
    private static final int PER_MILE_ORE = 260;

    private final RouteCatalogue routes;
    private final SeasonCalendar calendar;
    private final SurchargeDirectory surcharges;

    public FareCalculator(RouteCatalogue routes, SeasonCalendar calendar, SurchargeDirectory surcharges) {
        this.routes = routes;
        this.calendar = calendar;
        this.surcharges = surcharges;
    }

    public Fare calculate(String routeId, LocalDate date, VehicleClass vehicle, int passengers, CallTag tag) {
        Route route = routes.byId(routeId);
        if (passengers < 1 || passengers > 9) {
            throw new InvalidTripException("passengers must be 1 to 9");
        }
        if (!route.carries(vehicle)) {
            throw new InvalidTripException("no car deck on " + route.from() + " - " + route.to());
        }
        Season season = calendar.seasonOf(date);
        SurchargeSheet sheet = surcharges.sheetFor(new SurchargeQuery(route.id(), season, tag));

        List<FareLine> lines = new ArrayList<>();
        int perPassenger = seasonal(PASSENGER_BASE_ORE + route.nauticalMiles() * PER_MILE_ORE, season);
        lines.add(new FareLine("PAX", passengers + " passengers", perPassenger * passengers));
        if (vehicle != VehicleClass.NONE) {
            int deck = seasonal(vehicle.baseOre() + route.nauticalMiles() * vehicle.deckUnits() * 11, season);
            lines.add(new FareLine("DECK", vehicle.name().toLowerCase(), deck));
        }
        if (calendar.weekend(date)) {
            lines.add(new FareLine("WKND", "weekend", perPassenger * passengers / 10));
        }
        addPortDues(lines, sheet, route, vehicle, passengers);
        Fare fare = new Fare(route, date, season, vehicle, passengers, lines);
        LOG.debugf("%s on %s: %d öre", routeId, date, fare.totalOre());
        return fare;
    }

    private static void addPortDues(List<FareLine> lines, SurchargeSheet sheet, Route route, VehicleClass vehicle,
            int passengers) {
        for (String port : route.ports()) {
            int ore = 0;
            for (SurchargeRule rule : sheet.rulesOf(port)) {
                if (rule.appliesTo(vehicle)) {
                    ore += rule.perPassengerOre() * passengers + rule.perDeckUnitOre() * vehicle.deckUnits();
                }
            }
            if (ore > 0) {
                lines.add(new FareLine("PORT", "port dues " + port, ore));
            }
        }
    }

    private static int seasonal(int ore, Season season) {
        return wholeKronor(ore * season.percent() / 100);
    }

    private static int wholeKronor(int ore) {
        return ore - ore % 100;
    }
}

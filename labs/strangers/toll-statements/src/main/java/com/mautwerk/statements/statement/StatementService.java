package com.mautwerk.statements.statement;

import com.mautwerk.statements.account.AccountDirectory;
import com.mautwerk.statements.account.TollAccount;
import com.mautwerk.statements.pricing.Toll;
import com.mautwerk.statements.pricing.TollTariff;
import com.mautwerk.statements.text.AmountFormat;
import com.mautwerk.statements.text.DateText;
import com.mautwerk.statements.trip.Trip;
import com.mautwerk.statements.trip.TripLog;

import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

@Service
public class StatementService {

    private static final Logger log = LoggerFactory.getLogger(StatementService.class);

    private final AccountDirectory accounts;
    private final TripLog trips;
    private final TollTariff tariff;
    private final AmountFormat amounts;
    private final DateText dates;

    public StatementService(AccountDirectory accounts, TripLog trips, TollTariff tariff, AmountFormat amounts,
            DateText dates) {
        this.accounts = accounts;
        this.trips = trips;
        this.tariff = tariff;
        this.amounts = amounts;
        this.dates = dates;
    }

    public Statement create(String accountNumber, YearMonth month) {
        TollAccount account = accounts.get(accountNumber);
        List<Trip> monthly = trips.of(account, month);
        StatementBuilder statement = new StatementBuilder(account).month(dates.month(month));
        Map<String, Toll> vehicles = new TreeMap<>();
        Toll total = Toll.NONE;
        int metres = 0;
        for (Trip trip : monthly) {
            Toll toll = tariff.of(trip);
            total = total.plus(toll);
            metres += trip.section().metres();
            vehicles.merge(trip.vehicle().plate(), toll, Toll::plus);
            statement.line(line(trip, toll));
        }
        vehicles.forEach((plate, sum) -> statement.vehicle(plate, amounts.money(sum.gross())));
        statement.totals(amounts.distance(metres), amounts.money(total.net()), amounts.money(total.vat()),
                amounts.money(total.gross()));
        log.debug("statement {} of {} has {} trips", month, accountNumber, monthly.size());
        return statement.build();
    }

    private StatementLine line(Trip trip, Toll toll) {
        return new StatementLine(
                dates.moment(trip.passedAt()),
                trip.vehicle().plate(),
                trip.section().label(),
                amounts.distance(trip.section().metres()),
                amounts.money(toll.net()),
                amounts.money(toll.gross()));
    }
}

package eu.nachtquartier.offers.source;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A supplier whose rates were agreed upon for the year: a rate sheet by city. */
class ContractedSource implements RateSource {

    private final String name;
    private final Map<String, List<SheetRow>> sheet;

    ContractedSource(String name, Map<String, List<SheetRow>> sheet) {
        this.name = name;
        this.sheet = sheet;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<NetRate> rates(Search search) {
        List<NetRate> rates = new ArrayList<>();
        for (SheetRow row : sheet.getOrDefault(search.city(), List.of())) {
            if (search.guests() <= row.beds()) {
                rates.add(new NetRate(row.hotel(), row.board(), cents(row, search), row.refundable()));
            }
        }
        return rates;
    }

    private static int cents(SheetRow row, Search search) {
        int cents = 0;
        LocalDate night = search.arrival();
        for (int n = 0; n < search.nights(); n++) {
            int season = night.getMonthValue() >= 6 && night.getMonthValue() <= 9 ? row.summerPercent() : 100;
            boolean weekend = night.getDayOfWeek() == DayOfWeek.FRIDAY || night.getDayOfWeek() == DayOfWeek.SATURDAY;
            cents += row.cents() * season / 100 + (weekend ? row.weekendCents() : 0);
            night = night.plusDays(1);
        }
        return cents;
    }

    record SheetRow(String hotel, String board, int beds, int cents, int summerPercent, int weekendCents,
                    boolean refundable) {
    }
}

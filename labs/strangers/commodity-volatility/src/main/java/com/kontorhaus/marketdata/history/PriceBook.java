package com.kontorhaus.marketdata.history;

import com.kontorhaus.marketdata.proto.DailyPrice;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Ten years of settlement prices, made up from a fixed seed. Prices are in hundredths of the currency. */
public class PriceBook {

    private static final LocalDate LAST_DAY = LocalDate.of(2025, 6, 30);
    private static final String MONTH_CODES = "FGHJKMNQUVXZ";

    private final Map<String, List<DailyPrice>> series = new LinkedHashMap<>();

    public PriceBook() {
        add("COFFEE", "KC", 22_450, 0.019);
        add("COCOA", "CC", 612_000, 0.024);
        add("SUGAR", "SB", 1_980, 0.015);
        add("COTTON", "CT", 8_110, 0.013);
        add("WHEAT", "ZW", 58_200, 0.017);
        add("COPPER", "HG", 41_350, 0.012);
    }

    private void add(String instrument, String root, long start, double dailyDeviation) {
        SplittableRandom random = new SplittableRandom(instrument.hashCode());
        List<LocalDate> days = tradingDays(2500);
        List<DailyPrice> prices = new ArrayList<>(days.size());
        double price = start;
        long interest = 180_000;
        for (LocalDate day : days) {
            double open = price * (1 + gaussian(random) * dailyDeviation / 3);
            price = Math.max(100, price * (1 + gaussian(random) * dailyDeviation));
            double spread = price * dailyDeviation * random.nextDouble();
            interest += random.nextInt(-2_000, 2_001);
            prices.add(DailyPrice.newBuilder()
                    .setEpochDay(Math.toIntExact(day.toEpochDay()))
                    .setOpen(Math.round(open))
                    .setHigh(Math.round(Math.max(open, price) + spread))
                    .setLow(Math.round(Math.min(open, price) - spread))
                    .setSettlement(Math.round(price))
                    .setVolume(20_000 + random.nextInt(60_000))
                    .setOpenInterest(interest)
                    .setContract(root + MONTH_CODES.charAt(day.getMonthValue() - 1) + day.getYear() % 100)
                    .build());
        }
        series.put(instrument, List.copyOf(prices));
    }

    private static double gaussian(SplittableRandom random) {
        double sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += random.nextDouble();
        }
        return sum - 6;
    }

    private static List<LocalDate> tradingDays(int count) {
        List<LocalDate> days = new ArrayList<>(count);
        for (LocalDate day = LAST_DAY; days.size() < count; day = day.minusDays(1)) {
            if (day.getDayOfWeek() != DayOfWeek.SATURDAY && day.getDayOfWeek() != DayOfWeek.SUNDAY) {
                days.add(0, day);
            }
        }
        return days;
    }

    /** The last days of an instrument, the oldest first; null if it is not traded here. */
    public List<DailyPrice> last(String instrument, int days) {
        List<DailyPrice> all = series.get(instrument);
        return all == null ? null : all.subList(Math.max(0, all.size() - days), all.size());
    }
}

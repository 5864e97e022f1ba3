package com.kontorhaus.marketdata.analysis;

import com.kontorhaus.marketdata.proto.DailyPrice;
import com.kontorhaus.marketdata.proto.SeriesReply;

import java.time.LocalDate;

/** Settlement prices as numbers to calculate with. */
public record Series(String instrument, String currency, int[] days, double[] settlements, double[] highs,
                     double[] lows) {

    public static Series of(SeriesReply reply) {
        int count = reply.getPricesCount();
        int[] days = new int[count];
        double[] settlements = new double[count];
        double[] highs = new double[count];
        double[] lows = new double[count];
        for (int i = 0; i < count; i++) {
            DailyPrice price = reply.getPrices(i);
            days[i] = price.getEpochDay();
            settlements[i] = price.getSettlement() / 100.0;
            highs[i] = price.getHigh() / 100.0;
            lows[i] = price.getLow() / 100.0;
        }
        return new Series(reply.getInstrument(), reply.getCurrency(), days, settlements, highs, lows);
    }

    public int size() {
        return days.length;
    }

    public LocalDate day(int index) {
        return LocalDate.ofEpochDay(days[index]);
    }
}

package com.kontorhaus.marketdata.analysis;

/** Historical volatility from settlements, and from highs and lows (Parkinson). */
public class VolatilityAnalysis {

    private final int tradingDays;

    public VolatilityAnalysis(int tradingDays) {
        this.tradingDays = tradingDays;
    }

    public VolatilityReport analyse(Series series) {
        if (series.size() < 3) {
            throw new IllegalArgumentException("too few prices of " + series.instrument());
        }
        Drawdown drawdown = Drawdown.of(series);
        return new VolatilityReport(
                series.instrument(),
                series.currency(),
                series.day(0).toString(),
                series.day(series.size() - 1).toString(),
                series.size(),
                rounded(closeToClose(series)),
                rounded(parkinson(series)),
                rounded(drawdown.depth()),
                series.day(drawdown.bottom()).toString());
    }

    private double closeToClose(Series series) {
        double[] prices = series.settlements();
        int count = prices.length - 1;
        double sum = 0;
        double squares = 0;
        for (int i = 1; i < prices.length; i++) {
            double logReturn = Math.log(prices[i] / prices[i - 1]);
            sum += logReturn;
            squares += logReturn * logReturn;
        }
        double mean = sum / count;
        return Math.sqrt((squares - count * mean * mean) / (count - 1) * tradingDays);
    }

    private double parkinson(Series series) {
        double squares = 0;
        for (int i = 0; i < series.size(); i++) {
            double range = Math.log(series.highs()[i] / series.lows()[i]);
            squares += range * range;
        }
        return Math.sqrt(squares / (4 * Math.log(2) * series.size()) * tradingDays);
    }

    private static double rounded(double value) {
        return Math.round(value * 1e6) / 1e6;
    }
}

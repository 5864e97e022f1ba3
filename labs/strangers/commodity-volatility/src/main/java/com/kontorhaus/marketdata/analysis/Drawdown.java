package com.kontorhaus.marketdata.analysis;

/** The deepest fall from a peak: how deep, and on which day of the series it ended. */
record Drawdown(double depth, int bottom) {

    static Drawdown of(Series series) {
        double[] prices = series.settlements();
        double peak = prices[0];
        double depth = 0;
        int bottom = 0;
        for (int i = 1; i < prices.length; i++) {
            peak = Math.max(peak, prices[i]);
            double fall = 1 - prices[i] / peak;
            if (fall > depth) {
                depth = fall;
                bottom = i;
            }
        }
        return new Drawdown(depth, bottom);
    }
}

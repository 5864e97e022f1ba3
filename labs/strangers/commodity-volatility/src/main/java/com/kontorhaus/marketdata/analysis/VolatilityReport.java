package com.kontorhaus.marketdata.analysis;

public record VolatilityReport(String instrument, String currency, String from, String to, int days,
                               double closeToClose, double parkinson, double maxDrawdown, String drawdownEnd) {
}

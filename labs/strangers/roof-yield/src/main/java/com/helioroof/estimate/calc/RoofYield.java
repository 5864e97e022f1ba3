package com.helioroof.estimate.calc;

import java.util.List;

/** The energy that a roof can be expected to deliver. */
public record RoofYield(List<MonthlyYield> months) {

    public record MonthlyYield(int month, double kilowattHours, double sunHours) {
    }

    public double total() {
        double total = 0;
        for (MonthlyYield month : months) {
            total += month.kilowattHours();
        }
        return total;
    }

    public MonthlyYield best() {
        MonthlyYield best = months.get(0);
        for (MonthlyYield month : months) {
            if (month.kilowattHours() > best.kilowattHours()) {
                best = month;
            }
        }
        return best;
    }
}

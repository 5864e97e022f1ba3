package com.druckwerk.quotes.pricing;

import com.druckwerk.quotes.order.PrintJob.Finishing;
import java.math.BigDecimal;
import java.util.List;

/** A product with its fixed costs and the graded price of a printed sheet. */
public record Product(
        String id,
        String title,
        int defaultPages,
        int defaultGrammage,
        Finishing defaultFinishing,
        BigDecimal setup,
        List<Step> steps) {

    /** Price of a sheet from so many sheets on. */
    public record Step(int fromSheets, BigDecimal perSheet) {
    }

    public BigDecimal perSheet(int sheets) {
        BigDecimal price = steps.get(0).perSheet();
        for (Step step : steps) {
            if (sheets < step.fromSheets()) {
                break;
            }
            price = step.perSheet();
        }
        return price;
    }
}

package com.northpost.rates.book;

import com.northpost.commons.Measure;
import com.northpost.commons.Money;

/** One line of the rate sheet: how a carrier prices a service level into a zone. */
public record Tariff(
        String carrier,
        ServiceLevel level,
        Zone zone,
        Measure step,
        Measure limit,
        Money base,
        Money perStep,
        int degressionBasisPoints) {
}

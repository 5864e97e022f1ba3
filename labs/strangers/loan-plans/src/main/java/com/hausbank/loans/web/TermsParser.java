package com.hausbank.loans.web;

import com.hausbank.loans.terms.LoanTerms;
import io.javalin.http.Context;

import java.math.BigDecimal;
import java.time.YearMonth;
import java.time.format.DateTimeParseException;

/** Reads loan terms from the query. */
public final class TermsParser {

    public LoanTerms parse(Context ctx) {
        return new LoanTerms(
                number(ctx, "principal", null),
                number(ctx, "rate", null),
                months(ctx),
                start(ctx),
                number(ctx, "fee", "0"));
    }

    private static BigDecimal number(Context ctx, String name, String fallback) {
        String text = value(ctx, name, fallback);
        if (text.length() > 16) {
            throw new IllegalArgumentException("Too long: " + name);
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Not a number: " + name, e);
        }
    }

    private static int months(Context ctx) {
        String months = ctx.queryParam("months");
        try {
            return months != null ? Integer.parseInt(months) : 12 * Integer.parseInt(value(ctx, "years", null));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Not a term", e);
        }
    }

    private static YearMonth start(Context ctx) {
        try {
            return YearMonth.parse(value(ctx, "start", "2026-01"));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("Not a month: start", e);
        }
    }

    private static String value(Context ctx, String name, String fallback) {
        String value = ctx.queryParam(name);
        if (value == null) {
            value = fallback;
        }
        if (value == null) {
            throw new IllegalArgumentException("Missing: " + name);
        }
        return value;
    }
}

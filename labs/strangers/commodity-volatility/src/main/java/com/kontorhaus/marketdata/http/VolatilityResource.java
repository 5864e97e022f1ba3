package com.kontorhaus.marketdata.http;

import com.kontorhaus.marketdata.analysis.Series;
import com.kontorhaus.marketdata.analysis.VolatilityAnalysis;
import com.kontorhaus.marketdata.gateway.HistoryClient;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.NotFoundResponse;

import java.util.Locale;

class VolatilityResource implements Handler {

    private static final int USUAL_DAYS = 252;

    private final HistoryClient history;
    private final VolatilityAnalysis analysis;
    private final int mostDays;

    VolatilityResource(HistoryClient history, VolatilityAnalysis analysis, int mostDays) {
        this.history = history;
        this.analysis = analysis;
        this.mostDays = mostDays;
    }

    @Override
    public void handle(Context context) {
        String instrument = context.pathParam("instrument").toUpperCase(Locale.ROOT);
        int days = Math.min(mostDays, context.queryParamAsClass("days", Integer.class).getOrDefault(USUAL_DAYS));
        Series series = history.series(instrument, days)
                .orElseThrow(() -> new NotFoundResponse("no instrument " + instrument));
        context.json(analysis.analyse(series));
    }
}

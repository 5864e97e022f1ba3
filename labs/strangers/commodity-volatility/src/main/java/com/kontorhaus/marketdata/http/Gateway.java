package com.kontorhaus.marketdata.http;

import com.kontorhaus.marketdata.analysis.VolatilityAnalysis;
import com.kontorhaus.marketdata.gateway.GatewayConfig;
import com.kontorhaus.marketdata.gateway.HistoryClient;
import com.kontorhaus.marketdata.gateway.HistoryUnavailable;
import io.javalin.Javalin;
import io.javalin.http.HttpStatus;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;

/** The HTTP side. */
public class Gateway {

    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private final Javalin app;

    public Gateway(GatewayConfig config, HistoryClient history) {
        VolatilityResource volatility = new VolatilityResource(history,
                new VolatilityAnalysis(config.tradingDays()), config.mostDays());
        this.app = Javalin.create(javalin -> {
            javalin.showJavalinBanner = false;
            javalin.jetty.threadPool = new QueuedThreadPool(48, 8);
        });
        app.get("/instruments/{instrument}/volatility", volatility);
        app.get("/health", context -> context.result("ok"));
        app.exception(HistoryUnavailable.class, (failure, context) -> {
            LOG.warn("{}: {}", context.path(), failure.getMessage());
            context.status(HttpStatus.BAD_GATEWAY).json(Map.of("error", failure.getMessage()));
        });
        app.exception(IllegalArgumentException.class, (failure, context) ->
                context.status(HttpStatus.BAD_REQUEST).json(Map.of("error", String.valueOf(failure.getMessage()))));
    }

    public int start(int port) {
        return app.start(port).port();
    }

    public void stop() {
        app.stop();
    }
}

package com.northpost.rates;

import com.northpost.rates.book.RateBook;
import com.northpost.rates.book.RateBookReader;
import com.northpost.rates.http.CarrierResource;
import com.northpost.rates.http.QuoteResource;
import com.northpost.rates.quote.FuelIndex;
import com.northpost.rates.quote.QuoteEngine;
import io.helidon.http.Status;
import io.helidon.logging.common.LogConfig;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;

public final class Main {

    private static final System.Logger LOG = System.getLogger(Main.class.getName());

    private Main() {
    }

    public static void main(String[] args) {
        LogConfig.configureRuntime();
        int port = Integer.parseInt(System.getenv().getOrDefault("SERVER_PORT", "8080"));

        RateBook book = new RateBookReader().read("rate-cards.csv");
        QuoteEngine engine = new QuoteEngine(book, FuelIndex.current());

        WebServer server = WebServer.builder()
                .port(port)
                .routing(routing -> route(routing, book, engine))
                .build()
                .start();
        LOG.log(System.Logger.Level.INFO, "Carrier comparison listens on port {0}, {1} rate cards loaded",
                String.valueOf(server.port()), book.size());
    }

    private static void route(HttpRouting.Builder routing, RateBook book, QuoteEngine engine) {
        routing.register("/quotes", new QuoteResource(engine))
                .register("/carriers", new CarrierResource(book))
                .get("/health", (req, res) -> res.send("UP"))
                .error(IllegalArgumentException.class, (req, res, e) -> {
                    LOG.log(System.Logger.Level.DEBUG, "Rejected {0}: {1}", req.path().path(), e.getMessage());
                    res.status(Status.BAD_REQUEST_400).send(e.getMessage());
                });
    }
}

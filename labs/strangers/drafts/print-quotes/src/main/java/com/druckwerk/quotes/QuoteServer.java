package com.druckwerk.quotes;

import com.druckwerk.quotes.metering.ContractBook;
import com.druckwerk.quotes.metering.QuotaExceeded;
import com.druckwerk.quotes.metering.UsageMeter;
import com.druckwerk.quotes.order.UnknownProduct;
import com.druckwerk.quotes.pricing.PaperStock;
import com.druckwerk.quotes.pricing.PriceBook;
import com.druckwerk.quotes.pricing.QuoteCalculator;
import com.druckwerk.quotes.web.QuoteEndpoint;
import com.druckwerk.quotes.web.UsageEndpoint;
import io.javalin.Javalin;
import java.time.Clock;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the quoting service for resellers of the print shop. */
public final class QuoteServer {

    private static final Logger LOG = LoggerFactory.getLogger(QuoteServer.class);

    private QuoteServer() {
    }

    public static void main(String[] args) {
        PriceBook prices = PriceBook.load();
        QuoteCalculator calculator = new QuoteCalculator(prices, new PaperStock());
        UsageMeter meter = new UsageMeter(new ContractBook(), Clock.systemUTC());
        QuoteEndpoint quotes = new QuoteEndpoint(calculator, meter);
        UsageEndpoint usage = new UsageEndpoint(meter);

        Javalin app = Javalin.create(config -> config.showJavalinBanner = false);
        app.get("/resellers/{reseller}/quotes/{product}", quotes::quote);
        app.get("/resellers/{reseller}/usage", usage::usage);
        app.exception(UnknownProduct.class, (e, ctx) -> ctx.status(404).json(Map.of("error", e.getMessage())));
        app.exception(QuotaExceeded.class, (e, ctx) -> ctx.status(429).json(Map.of("error", e.getMessage())));
        app.exception(IllegalArgumentException.class,
                (e, ctx) -> ctx.status(400).json(Map.of("error", e.getMessage())));
        int port = port();
        app.start(port);
        LOG.info("Print quotes on port {}, {} products", port, prices.products().size());
    }

    private static int port() {
        String configured = System.getenv("PORT");
        return configured == null || configured.isBlank() ? 7070 : Integer.parseInt(configured);
    }
}

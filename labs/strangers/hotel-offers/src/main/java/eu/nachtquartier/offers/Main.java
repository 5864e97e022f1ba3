package eu.nachtquartier.offers;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import eu.nachtquartier.offers.http.ContextFilter;
import eu.nachtquartier.offers.http.OffersHandler;
import eu.nachtquartier.offers.offer.Markup;
import eu.nachtquartier.offers.offer.OfferService;
import eu.nachtquartier.offers.source.RateSources;
import eu.nachtquartier.offers.tenant.TenantRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        String setting = System.getenv("OFFERS_PORT");
        int port = setting == null ? 8080 : Integer.parseInt(setting);

        TenantRegistry tenants = TenantRegistry.load("alpina", "nordsee");
        OfferService offers = new OfferService(RateSources.contracted(), new Markup(tenants));

        HttpServer server = HttpServer.create(new InetSocketAddress(port), 256);
        server.setExecutor(Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory()));
        HttpContext context = server.createContext("/offers", new OffersHandler(offers));
        context.getFilters().add(new ContextFilter(tenants));
        server.createContext("/health", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        LOG.info("Hotel offers listening on port {}", port);
    }
}

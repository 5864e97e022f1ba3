package eu.quayside.freight.sandbox;

import java.net.URI;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.micronaut.context.annotation.Context;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/** Stand-ins for the APIs of the carriers. */
@Context
public class CarrierSandboxes {

    private static final Logger LOG = LoggerFactory.getLogger(CarrierSandboxes.class);

    private static final String[] VESSELS = {"Aurora", "Borealis", "Polaris", "Vega"};

    private final SandboxServer northStar = new SandboxServer(CarrierSandboxes::sailings);
    private final SandboxServer meridian = new SandboxServer(CarrierSandboxes::offers);
    private final SandboxServer cabotage = new SandboxServer(CarrierSandboxes::bunker);

    @PostConstruct
    void start() throws InterruptedException {
        northStar.start();
        meridian.start();
        cabotage.start();
        LOG.info("carrier sandboxes at {}, {} and {}", northStar(), meridian(), cabotage());
    }

    @PreDestroy
    void stop() {
        northStar.stop();
        meridian.stop();
        cabotage.stop();
    }

    public URI northStar() {
        return northStar.uri();
    }

    public URI meridian() {
        return meridian.uri();
    }

    public URI cabotage() {
        return cabotage.uri();
    }

    private static String sailings(String uri) {
        StringBuilder json = new StringBuilder("{\"sailings\":[");
        for (int i = 0; i < VESSELS.length; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"vessel\":\"MV ").append(VESSELS[i])
                    .append("\",\"centsPerTonne\":").append(9100 + i * 730)
                    .append(",\"days\":").append(9 - i)
                    .append(",\"via\":").append(i % 2 == 0 ? "null" : "\"FRLEH\"")
                    .append(",\"cutOff\":\"2026-12-0").append(1 + i).append("T16:00:00Z\"}");
        }
        return json.append("]}").toString();
    }

    private static String offers(String uri) {
        StringBuilder json = new StringBuilder("[");
        String[] products = {"standard", "express", "saver"};
        for (int i = 0; i < products.length; i++) {
            json.append(i == 0 ? "" : ",")
                    .append("{\"product\":\"").append(products[i])
                    .append("\",\"euro\":").append(210 + i * 55)
                    .append(",\"transit\":").append(8 - i)
                    .append(",\"transshipment\":").append(i == 2)
                    .append(",\"surcharges\":[{\"code\":\"BAF\",\"euro\":18},{\"code\":\"ETS\",\"euro\":")
                    .append(7 + i).append("}]}");
        }
        return json.append("]").toString();
    }

    private static String bunker(String uri) {
        return "{\"index\":" + (3100 + uri.length() % 5 * 40) + ",\"currency\":\"EUR\",\"published\":\"2026-11-24\"}";
    }
}

package shop.basket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Asks the service that knows the prices. */
final class PriceClient {
    private final URI service;

    PriceClient(URI service) {
        this.service = service;
    }

    List<Integer> prices(List<String> items) {
        return items.stream().map(item -> ask(item).get(0)).toList();
    }

    private List<Integer> ask(String items) {
        try {
            URLConnection connection = URI.create(service + "?items=" + items).toURL().openConnection();
            InputStream answer = connection.getInputStream();
            try (BufferedReader body = new BufferedReader(new InputStreamReader(answer, StandardCharsets.UTF_8))) {
                return body.lines().map(Integer::valueOf).toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no prices of " + items, e);
        }
    }
}

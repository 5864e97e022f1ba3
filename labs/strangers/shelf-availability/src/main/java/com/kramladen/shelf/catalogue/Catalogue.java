package com.kramladen.shelf.catalogue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The range of goods, read once from catalogue.csv. */
public final class Catalogue {

    private final Map<String, Product> products;

    private Catalogue(Map<String, Product> products) {
        this.products = Map.copyOf(products);
    }

    public static Catalogue load() {
        InputStream stream = Catalogue.class.getResourceAsStream("/catalogue.csv");
        if (stream == null) {
            throw new IllegalStateException("catalogue.csv is missing");
        }
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            Map<String, Product> products = new HashMap<>();
            reader.lines()
                    .filter(line -> !line.isBlank() && line.charAt(0) != '#')
                    .map(Catalogue::product)
                    .forEach(product -> products.put(product.sku(), product));
            return new Catalogue(products);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Product product(String line) {
        String[] cells = line.split(";");
        return new Product(cells[0], cells[1], cells[2], Integer.parseInt(cells[3]), "bulky".equals(cells[4]));
    }

    public Optional<Product> find(String sku) {
        return Optional.ofNullable(products.get(sku));
    }

    public int size() {
        return products.size();
    }
}

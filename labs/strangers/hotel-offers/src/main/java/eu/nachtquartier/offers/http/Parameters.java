package eu.nachtquartier.offers.http;

import com.sun.net.httpserver.HttpExchange;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;

/** The query of a request. */
final class Parameters {

    private final Map<String, String> values = new HashMap<>();

    Parameters(HttpExchange exchange) {
        String query = exchange.getRequestURI().getRawQuery();
        if (query == null) {
            return;
        }
        for (String pair : query.split("&")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    int number(String name, int otherwise) {
        String value = values.get(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is no number");
        }
    }

    LocalDate date(String name) {
        try {
            return LocalDate.parse(text(name));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(name + " is no date");
        }
    }
}

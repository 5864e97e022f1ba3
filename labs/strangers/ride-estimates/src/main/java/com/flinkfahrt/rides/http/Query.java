package com.flinkfahrt.rides.http;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The parameters of a request. */
public final class Query {

    private final Map<String, String> parameters;

    private Query(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    static Query of(URI uri) {
        Map<String, String> parameters = new HashMap<>();
        String raw = uri.getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    parameters.put(pair.substring(0, equals),
                            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
        }
        return new Query(parameters);
    }

    public int number(String name, int lowest, int highest) {
        String text = parameters.get(name);
        try {
            int number = Integer.parseInt(text);
            if (number >= lowest && number <= highest) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new BadQuery(name + " is missing or no number");
        }
        throw new BadQuery(name + " must be between " + lowest + " and " + highest);
    }
}

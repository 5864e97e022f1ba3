package org.wanderwege.trails.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** What an endpoint gets to know of a request. */
public final class Request {

    private final Map<String, String> variables;
    private final Map<String, String> query;

    Request(Map<String, String> variables, String rawQuery) {
        this.variables = variables;
        this.query = parse(rawQuery);
    }

    public String variable(String name) {
        return variables.get(name);
    }

    public int intParameter(String name, int fallback, int min, int max) {
        String text = query.get(name);
        if (text == null) {
            return fallback;
        }
        try {
            int value = Integer.parseInt(text);
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " must be between " + min + " and " + max);
            }
            return value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number");
        }
    }

    private static Map<String, String> parse(String rawQuery) {
        Map<String, String> result = new HashMap<>();
        if (rawQuery == null) {
            return result;
        }
        for (String pair : rawQuery.split("&")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                result.put(decode(pair.substring(0, at)), decode(pair.substring(at + 1)));
            }
        }
        return result;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}

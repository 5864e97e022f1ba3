package dev.tacho.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A request as its file says it; what is wrong with it is said in a sentence. */
final class Request {
    private final Map<?, ?> fields;

    Request(Map<?, ?> fields) {
        this.fields = fields;
    }

    static Request parse(String text) {
        Object value = Json.read(text);
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException("a request is an object");
        }
        return new Request((Map<?, ?>) value);
    }

    String text(String name) {
        Object value = fields.get(name);
        if (!(value instanceof String)) {
            throw new IllegalArgumentException("`" + name + "` has to be a text");
        }
        return (String) value;
    }

    String textOrNull(String name) {
        Object value = fields.get(name);
        return value instanceof String ? (String) value : null;
    }

    boolean flag(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    long number(String name, long otherwise) {
        Object value = fields.get(name);
        return value instanceof Long ? (Long) value : otherwise;
    }

    List<?> list(String name) {
        Object value = fields.get(name);
        return value instanceof List ? (List<?>) value : Collections.emptyList();
    }

    List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Object value : list(name)) {
            texts.add(String.valueOf(value));
        }
        return texts;
    }

    List<Request> objects(String name) {
        List<Request> objects = new ArrayList<>();
        for (Object value : list(name)) {
            if (!(value instanceof Map)) {
                throw new IllegalArgumentException("`" + name + "` has to be a list of objects");
            }
            objects.add(new Request((Map<?, ?>) value));
        }
        return objects;
    }
}

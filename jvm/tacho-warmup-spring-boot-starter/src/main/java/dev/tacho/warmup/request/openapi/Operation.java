package dev.tacho.warmup.request.openapi;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.json.JsonWriter;

/**
 * An operation as a request.
 *
 * @param method {@code GET}, ...
 * @param path as the document has it: {@code /pets/{petId}}
 * @param item what the document says of the path
 * @param description what it says of the operation
 */
record Operation(String method, String path, Object item, Object description) {

    private static final Pattern VARIABLE = Pattern.compile("\\{([^}]*)}");

    /**
     * Of its examples.
     *
     * @throws RequestException when one that it needs is not there
     */
    WarmUpRequest request(String base, References references, Examples examples) {
        List<Header> headers = new ArrayList<>();
        StringJoiner query = new StringJoiner("&");
        StringJoiner cookies = new StringJoiner("; ");
        Map<String, String> variables = new LinkedHashMap<>();
        parameters(references, examples).forEach((parameter, value) -> {
            switch (parameter.place()) {
                case "path" -> variables.put(parameter.name(), encoded(plain(value)));
                case "query" -> query(parameter.name(), value).forEach(query::add);
                case "cookie" -> cookies.add(parameter.name() + "=" + plain(value));
                case "header" -> headers.add(new Header(parameter.name(), plain(value)));
                default -> throw new RequestException("the parameter " + parameter.name() + " stands in "
                        + parameter.place());
            }
        });
        if (cookies.length() > 0) {
            headers.add(new Header("Cookie", cookies.toString()));
        }
        byte[] body = body(references, examples, headers);
        String target = base + filled(variables) + (query.length() > 0 ? "?" + query : "");
        return WarmUpRequest.of(method + " " + path, method, target, headers, body, 1, OptionalInt.empty());
    }

    private record Parameter(String place, String name) {
    }

    /**
     * Those of the operation, and those of its path that it does not have itself, with their
     * values.
     */
    private Map<Parameter, Object> parameters(References references, Examples examples) {
        Map<Parameter, Object> values = new LinkedHashMap<>();
        List<Object> described = Stream.concat(Tree.list(description, "parameters").stream(),
                Tree.list(item, "parameters").stream()).map(Object.class::cast).toList();
        for (Object written : described) {
            Object parameter = references.resolved(written);
            Parameter key = new Parameter(Tree.text(parameter, "in"), Tree.text(parameter, "name"));
            boolean isRequired = key.place().equals("path")
                    || parameter instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get("required"));
            Optional<Object> value = isRequired ? examples.of(parameter) : examples.written(parameter);
            if (isRequired && value.isEmpty()) {
                throw new RequestException("the parameter " + key.name() + " has no example");
            }
            value.ifPresent(given -> values.putIfAbsent(key, given));
        }
        return values;
    }

    private String filled(Map<String, String> variables) {
        Matcher variable = VARIABLE.matcher(path);
        return variable.replaceAll(found -> {
            String value = variables.get(found.group(1));
            if (value == null) {
                throw new RequestException("the parameter " + found.group(1) + " of its path is not described");
            }
            return Matcher.quoteReplacement(value);
        });
    }

    private byte[] body(References references, Examples examples, List<Header> headers) {
        Object described = description instanceof Map<?, ?> map ? map.get("requestBody") : null;
        if (described == null) {
            return new byte[0];
        }
        Object body = references.resolved(described);
        boolean isRequired = body instanceof Map<?, ?> map && Boolean.TRUE.equals(map.get("required"));
        Map<?, ?> content = Tree.map(body, "content");
        Optional<String> type = content.keySet().stream().map(String::valueOf)
                .min(Comparator.comparing(kind -> kind.contains("json") ? 0 : 1));
        Optional<Object> example = type.flatMap(kind -> examples.of(content.get(kind)));
        if (example.isEmpty()) {
            if (isRequired) {
                throw new RequestException("its body has no example");
            }
            return new byte[0];
        }
        headers.add(new Header("Content-Type", type.get().contains("*") ? "application/json" : type.get()));
        return WarmUpRequest.bytes(text(type.get(), example.get()));
    }

    private static String text(String type, Object example) {
        // Many examples of JSON are written as a text that holds it.
        if (example instanceof String text && (!type.contains("json") || text.stripLeading().matches("(?s)[\\[{].*"))) {
            return text;
        }
        if (type.contains("json") || type.contains("*")) {
            return JsonWriter.standard().writeToString(example);
        }
        throw new RequestException("its body is of the type " + type + ", and its example is no text");
    }

    private static Stream<String> query(String name, Object value) {
        // Style form, exploded: what holds unless the document says otherwise (OpenAPI 3.1,
        // 4.8.12).
        Stream<?> values = value instanceof List<?> list ? list.stream() : Stream.of(value);
        return values.map(one -> encoded(name) + "=" + encoded(plain(one)));
    }

    private static String plain(Object value) {
        if (value instanceof Map<?, ?>) {
            throw new RequestException("a parameter is an object; give its request with tacho.warmup.requests");
        }
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(Operation::plain).toList()) : String.valueOf(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}

package dev.tacho.warmup.request.openapi;

import dev.tacho.warmup.request.RequestException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@code $ref} refers to, in the same document. */
final class References {

    private final Map<?, ?> root;

    References(Map<?, ?> root) {
        this.root = root;
    }

    /** What stands there, or what its reference refers to. */
    Object resolved(Object value) {
        Set<String> seen = new HashSet<>();
        Object found = value;
        for (String reference = Tree.text(found, "$ref"); !reference.isEmpty(); reference = Tree.text(found, "$ref")) {
            if (!seen.add(reference)) {
                throw new RequestException("the reference " + reference + " leads back to itself");
            }
            found = find(reference);
        }
        return found;
    }

    private Object find(String reference) {
        if (!reference.startsWith("#/")) {
            throw new RequestException("the reference " + reference
                    + " leads out of the document; put both into one file");
        }
        Object found = root;
        for (String step : reference.substring(2).split("/", -1)) {
            // A fragment of a URI is percent-encoded (RFC 6901, 6).
            String name = URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8)
                    .replace("~1", "/").replace("~0", "~");
            found = member(found, name);
            if (found == null) {
                throw new RequestException("the reference " + reference + " leads to nothing in this document");
            }
        }
        return found;
    }

    private static Object member(Object holder, String name) {
        if (holder instanceof Map<?, ?> map) {
            return map.get(name);
        }
        boolean isIndex = holder instanceof List<?> && name.matches("\\d{1,6}");
        if (isIndex && Integer.parseInt(name) < ((List<?>) holder).size()) {
            return ((List<?>) holder).get(Integer.parseInt(name));
        }
        return null;
    }
}

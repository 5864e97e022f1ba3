package dev.tacho.warmup.request.openapi;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Values that the document itself gives: {@code example}, the first of {@code examples},
 * {@code default}, {@code const}, the first of {@code enum}; of objects and lists also what the
 * examples of their parts make together. Nothing is made up.
 */
final class Examples {

    /** Values of one example; schemas that refer to one another could ask for any number. */
    private static final int MOST_VALUES = 2_000;

    private final References references;

    Examples(References references) {
        this.references = references;
    }

    /** Of a parameter or a media type: its own, or that of its schema. */
    Optional<Object> of(Object holder) {
        return explicit(holder).or(() -> ofSchema(Tree.map(holder, "schema"), new Walk()));
    }

    /**
     * Only an example, no default: for optional parameters. The service uses the default
     * anyway.
     */
    Optional<Object> written(Object holder) {
        Object schema = references.resolved(Tree.map(holder, "schema"));
        return example(holder).or(() -> example(schema));
    }

    private Optional<Object> explicit(Object holder) {
        return example(holder).or(() -> member(holder, "default")).or(() -> member(holder, "const"))
                .or(() -> Tree.list(holder, "enum").stream().findFirst().map(Object.class::cast));
    }

    private Optional<Object> example(Object holder) {
        // In schemas a list (JSON Schema), elsewhere named examples, which may be references.
        return member(holder, "example")
                .or(() -> Tree.list(holder, "examples").stream().findFirst().map(Object.class::cast))
                .or(() -> Tree.map(holder, "examples").values().stream()
                        .flatMap(named -> member(references.resolved(named), "value").stream()).findFirst());
    }

    /** Where one is while an example is put together. */
    private static final class Walk {

        /** References that are being followed: one that leads into itself has no example. */
        private final Set<String> trail = new HashSet<>();
        private int values;
    }

    private Optional<Object> ofSchema(Object written, Walk walk) {
        String reference = Tree.text(written, "$ref");
        if (++walk.values > MOST_VALUES || !reference.isEmpty() && !walk.trail.add(reference)) {
            return Optional.empty();
        }
        Optional<Object> example = ofResolved(references.resolved(written), walk);
        walk.trail.remove(reference);
        return example;
    }

    private Optional<Object> ofResolved(Object schema, Walk walk) {
        Optional<Object> explicit = explicit(schema);
        if (explicit.isPresent()) {
            return explicit;
        }
        if (!Tree.map(schema, "items").isEmpty()) {
            return ofSchema(Tree.map(schema, "items"), walk).map(List::of);
        }
        return ofProperties(schema, walk);
    }

    /** Empty when one that is required has no example. */
    private Optional<Object> ofProperties(Object schema, Walk walk) {
        List<?> required = Tree.list(schema, "required");
        Map<String, Object> object = new LinkedHashMap<>();
        for (Map.Entry<?, ?> property : Tree.map(schema, "properties").entrySet()) {
            Optional<Object> value = ofSchema(property.getValue(), walk);
            if (value.isPresent()) {
                object.put(String.valueOf(property.getKey()), value.get());
            } else if (required.contains(property.getKey())) {
                return Optional.empty();
            }
        }
        return object.isEmpty() ? Optional.empty() : Optional.of(object);
    }

    private static Optional<Object> member(Object holder, String name) {
        return holder instanceof Map<?, ?> map ? Optional.ofNullable(map.get(name)) : Optional.empty();
    }
}

package dev.tacho.warmup.request.openapi;

import dev.tacho.warmup.request.RequestException;
import java.util.List;
import java.util.Map;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Maps, lists, texts and numbers of a document in JSON or YAML. */
final class Tree {

    private Tree() {
    }

    static Map<?, ?> parse(String text, String place) {
        try {
            Object root = text.stripLeading().startsWith("{") ? JsonParserFactory.getJsonParser().parseMap(text)
                    : yaml(text);
            if (root instanceof Map<?, ?> map) {
                return map;
            }
        } catch (JsonParseException wrong) {
            throw new RequestException(place + " is no JSON: " + wrong.getMessage(), wrong);
        }
        throw new RequestException(place + " is no OpenAPI document: it has no `openapi: 3...`");
    }

    private static Object yaml(String text) {
        if (!ClassUtils.isPresent("org.yaml.snakeyaml.Yaml", Tree.class.getClassLoader())) {
            throw new RequestException("the document is in YAML, and org.yaml:snakeyaml is not on the class path;"
                    + " add it, or give the document in JSON");
        }
        return Snake.load(text);
    }

    /** Its own class, since SnakeYAML may not be there. */
    private static final class Snake {

        private static Object load(String text) {
            try {
                return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            } catch (YAMLException wrong) {
                throw new RequestException("the document is no YAML: " + wrong.getMessage(), wrong);
            }
        }
    }

    /** A member that is a map; an empty one when it is none. */
    static Map<?, ?> map(Object holder, String name) {
        return holder instanceof Map<?, ?> map && map.get(name) instanceof Map<?, ?> member ? member : Map.of();
    }

    /** A member that is a list; an empty one when it is none. */
    static List<?> list(Object holder, String name) {
        return holder instanceof Map<?, ?> map && map.get(name) instanceof List<?> member ? member : List.of();
    }

    /** A member that is text; an empty one when it is none. */
    static String text(Object holder, String name) {
        return holder instanceof Map<?, ?> map && map.get(name) instanceof String text ? text : "";
    }
}

package eu.nachtquartier.offers.context;

import java.util.HashMap;
import java.util.Map;

/**
 * What is known about the request that a thread works for. Threads that are started on its behalf see
 * the same; what they put themselves stays with them.
 */
public final class RequestContext {

    public static final String REQUEST_ID = "requestId";
    public static final String TENANT = "tenant";
    public static final String LOCALE = "locale";

    private static final InheritableThreadLocal<Map<String, String>> CURRENT = new InheritableThreadLocal<>() {
        @Override
        protected Map<String, String> childValue(Map<String, String> parent) {
            return parent == null ? null : new HashMap<>(parent);
        }
    };

    private RequestContext() {
    }

    public static void open() {
        CURRENT.set(new HashMap<>());
    }

    public static void put(String name, String value) {
        values().put(name, value);
    }

    public static void putAll(Map<String, String> more) {
        values().putAll(more);
    }

    public static String get(String name) {
        return values().get(name);
    }

    public static String require(String name) {
        String value = get(name);
        if (value == null) {
            throw new IllegalStateException("The request has no " + name);
        }
        return value;
    }

    public static int requireNumber(String name) {
        return Integer.parseInt(require(name));
    }

    public static void close() {
        CURRENT.remove();
    }

    private static Map<String, String> values() {
        Map<String, String> values = CURRENT.get();
        if (values == null) {
            throw new IllegalStateException("No request is open");
        }
        return values;
    }
}

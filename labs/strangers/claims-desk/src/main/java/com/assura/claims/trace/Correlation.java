package com.assura.claims.trace;

import org.slf4j.MDC;

/** Shows the correlation id in the log for as long as it is open. */
public final class Correlation implements AutoCloseable {

    private static final String KEY = "correlation";

    private Correlation() {
    }

    public static Correlation begin(String id) {
        MDC.put(KEY, id);
        return new Correlation();
    }

    @Override
    public void close() {
        MDC.remove(KEY);
    }
}

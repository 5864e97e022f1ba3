package com.assura.claims.trace;

import org.eclipse.jetty.server.Request;

import java.util.concurrent.atomic.AtomicLong;

/** Takes the correlation id of the caller or makes one. */
public final class CorrelationIds {

    public static final String HEADER = "X-Correlation-Id";
    private static final int MAX_LENGTH = 48;

    private final String instance = Long.toString(System.currentTimeMillis() / 1000, 36);
    private final AtomicLong sequence = new AtomicLong();

    public String of(Request request) {
        String given = request.getHeaders().get(HEADER);
        if (given != null && isAcceptable(given)) {
            return given;
        }
        return instance + "-" + Long.toString(sequence.incrementAndGet(), 36);
    }

    private static boolean isAcceptable(String id) {
        if (id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (!Character.isLetterOrDigit(c) && c != '-') {
                return false;
            }
        }
        return true;
    }
}

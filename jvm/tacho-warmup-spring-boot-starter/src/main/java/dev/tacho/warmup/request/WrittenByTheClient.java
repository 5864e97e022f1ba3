package dev.tacho.warmup.request;

import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Headers that the client writes itself and lets nobody else write. A recording has them all the
 * same.
 */
public final class WrittenByTheClient {

    /** As {@code HttpRequest.Builder} documents, and those that frame the body. */
    private static final Set<String> NAMES =
            Set.of("connection", "content-length", "expect", "host", "upgrade", "transfer-encoding");

    private WrittenByTheClient() {
    }

    /** All others. */
    public static List<Header> removedFrom(List<Header> headers) {
        return headers.stream().filter(header -> !NAMES.contains(header.name().toLowerCase(Locale.ROOT))).toList();
    }
}

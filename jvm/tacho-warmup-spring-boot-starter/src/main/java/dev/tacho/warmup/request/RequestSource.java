package dev.tacho.warmup.request;

import java.util.List;

/** Where requests come from. */
@FunctionalInterface
public interface RequestSource {

    /**
     * Reads them, when the service runs.
     *
     * @throws RequestException when what is there cannot be sent
     */
    List<WarmUpRequest> read();
}

package dev.tacho.warmup.send;

import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.request.WarmUpRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;

/**
 * What all requests of the warm-up have in common.
 *
 * @param mark tells the service that a request is one of the warm-up
 * @param timeout after which a request has failed
 * @param headers sent with every request that has no header of that name itself
 */
public record Outfit(WarmUpMark mark, Duration timeout, Map<String, String> headers) {

    HttpRequest on(WarmUpRequest request, URI server) {
        HttpRequest.Builder builder = request.at(server).timeout(timeout);
        headers.forEach((name, value) -> {
            boolean isGiven = request.headers().stream().anyMatch(header -> header.name().equalsIgnoreCase(name));
            if (!isGiven) {
                builder.setHeader(name, value);
            }
        });
        return builder.setHeader(mark.header(), mark.token()).build();
    }
}

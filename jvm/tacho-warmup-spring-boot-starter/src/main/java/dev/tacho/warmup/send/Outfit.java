package dev.tacho.warmup.send;

import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.request.WarmUpRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;

/**
 * What every request has besides what is its own.
 *
 * @param mark tells the service what it is
 * @param timeout after which it has failed
 * @param headers those that it has unless it has one of that name itself
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

package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.autoconfigure.WarmUpProperties.RequestProperties;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Requests of {@code tacho.warmup.requests}. */
final class ConfiguredRequests implements RequestSource {

    private final List<RequestProperties> requests;

    ConfiguredRequests(List<RequestProperties> requests) {
        this.requests = requests;
    }

    @Override
    public List<WarmUpRequest> read() {
        return requests.stream().map(ConfiguredRequests::request).toList();
    }

    private static WarmUpRequest request(RequestProperties written) {
        List<Header> headers = written.headers().entrySet().stream()
                .map(header -> new Header(header.getKey(), header.getValue())).toList();
        return WarmUpRequest.of(written.name(), written.method().toUpperCase(Locale.ROOT), written.path(), headers,
                WarmUpRequest.bytes(written.body()), written.weight(),
                written.status() == null ? OptionalInt.empty() : OptionalInt.of(written.status()));
    }
}

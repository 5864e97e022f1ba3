package dev.tacho.warmup.request.recorded;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import dev.tacho.warmup.request.WrittenByTheClient;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.OptionalInt;

/** A recorded request, on its way to this service whatever server it was recorded of. */
final class Target {

    private Target() {
    }

    static WarmUpRequest request(String method, String url, List<Header> headers, byte[] body) {
        return WarmUpRequest.of("", method, path(url), WrittenByTheClient.removedFrom(headers), body, 1,
                OptionalInt.empty());
    }

    private static String path(String url) {
        if (url.startsWith("/")) {
            return url;
        }
        try {
            URI parsed = new URI(url);
            String path = parsed.getRawPath() == null || parsed.getRawPath().isEmpty() ? "/" : parsed.getRawPath();
            return parsed.getRawQuery() == null ? path : path + "?" + parsed.getRawQuery();
        } catch (URISyntaxException wrong) {
            throw new RequestException("`" + url + "` is no URL: " + wrong.getMessage(), wrong);
        }
    }
}

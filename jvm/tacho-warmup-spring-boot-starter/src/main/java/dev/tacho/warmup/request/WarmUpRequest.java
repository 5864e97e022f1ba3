package dev.tacho.warmup.request;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import org.springframework.util.StringUtils;

/**
 * A request that can be sent.
 *
 * @param name for people; requests of one name are one kind, whose response times have to settle
 * @param method {@code GET}, ...
 * @param path path with query, beginning with {@code /}
 * @param headers in order
 * @param body empty when it has none
 * @param weight how often it is sent, relative to the others
 * @param status status of a good answer; when empty, any below 400
 */
public record WarmUpRequest(String name, String method, String path, List<Header> headers, byte[] body, int weight,
        OptionalInt status) {

    /** Where to try whether it can be sent. */
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

    /**
     * A header of a request.
     *
     * @param name its name
     * @param value its value
     */
    public record Header(String name, String value) {
    }

    /**
     * Checks that it can be sent.
     *
     * @throws RequestException when it cannot
     */
    public WarmUpRequest {
        if (!path.startsWith("/")) {
            throw new RequestException("the path `" + path + "` does not begin with /; write for example /owners");
        }
        if (weight < 1) {
            throw new RequestException("the weight of " + name + " is " + weight + "; give 1 or more");
        }
    }

    /**
     * Of what people write.
     *
     * @param name method and path without query when empty
     * @throws RequestException when it cannot be sent
     */
    public static WarmUpRequest of(String name, String method, String path, List<Header> headers, byte[] body,
            int weight, OptionalInt status) {
        String known = StringUtils.hasText(name) ? name : method + " " + path.split("\\?", 2)[0];
        WarmUpRequest request = new WarmUpRequest(known, method, path, List.copyOf(headers), body, weight, status);
        try {
            request.at(NOWHERE).build();
        } catch (IllegalArgumentException unsendable) {
            throw new RequestException(known + " cannot be sent: " + unsendable.getMessage(), unsendable);
        }
        return request;
    }

    /** Bytes of a body that is written as text. */
    public static byte[] bytes(String body) {
        return body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
    }

    /** To a server there. */
    public HttpRequest.Builder at(URI server) {
        // Not resolved: a path such as //elsewhere would lead there.
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
        headers.forEach(header -> request.header(header.name(), header.value()));
        return request.method(method, body.length == 0
                ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
    }

    /** Whether an answer of this status is a good one. */
    public boolean isGood(int answered) {
        return status.isPresent() ? status.getAsInt() == answered : answered < 400;
    }
}

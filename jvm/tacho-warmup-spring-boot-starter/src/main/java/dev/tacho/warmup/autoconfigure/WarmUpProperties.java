package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.run.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is sent before traffic comes, and when that is enough.
 *
 * @param enabled whether the service is warmed at all
 * @param requests requests to send, each until its response times have settled
 * @param atLeast answers that are waited for though response times have settled before
 * @param atMost requests after which traffic may come, settled or not
 * @param within time after which traffic may come, settled or not
 * @param failures so many failures one after another are no warm-up: it ends as on-failure says
 * @param onFailure what follows when the service cannot be warmed
 * @param connections requests at a time
 * @param requestTimeout time after which a request that has no answer has failed
 * @param header name of the header that marks every request of the warm-up. A request from outside that carries it is refused with status 403
 * @param progress time between lines of progress in the log
 */
@ConfigurationProperties("tacho.warmup")
public record WarmUpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<RequestProperties> requests,
        @DefaultValue("0") long atLeast,
        @DefaultValue("20000") long atMost,
        @DefaultValue("60s") Duration within,
        @DefaultValue("20") long failures,
        @DefaultValue("open") OnFailure onFailure,
        @DefaultValue("1") int connections,
        @DefaultValue("10s") Duration requestTimeout,
        @DefaultValue("X-Warm-Up") String header,
        @DefaultValue("5s") Duration progress) {

    public WarmUpProperties {
        atLeast(1, atMost, "at-most");
        atLeast(1, failures, "failures");
        atLeast(1, connections, "connections");
        positive(within, "within");
        positive(requestTimeout, "request-timeout");
        positive(progress, "progress");
    }

    private static void atLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException("tacho.warmup." + name + " is " + value + "; give " + least + " or more");
        }
    }

    private static void positive(Duration value, String name) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("tacho.warmup." + name + " is " + value + "; give a time such as 30s");
        }
    }

    /**
     * A request to send.
     *
     * @param method method of the request
     * @param path path with query, as a client sends it
     * @param headers headers of the request
     * @param body body of the request, as text
     * @param weight how often it is sent, relative to the others
     * @param name its name in the log and the endpoint; method and path unless given
     * @param status status of a good answer; unless given, any below 400
     */
    public record RequestProperties(
            @DefaultValue("GET") String method,
            String path,
            @DefaultValue Map<String, String> headers,
            String body,
            @DefaultValue("1") int weight,
            String name,
            Integer status) {

        public RequestProperties {
            if (path == null || path.isBlank()) {
                throw new IllegalArgumentException("a request of tacho.warmup.requests has no path; give one such as /owners");
            }
        }
    }
}

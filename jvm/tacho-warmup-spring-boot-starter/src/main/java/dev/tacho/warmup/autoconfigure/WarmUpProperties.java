package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.run.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * What is sent before traffic comes, and when that is enough.
 *
 * @param enabled Whether the service is warmed at all.
 * @param requests Requests to send, each until its response times have settled.
 * @param openApi OpenAPI 3 document, JSON or YAML, of whose examples requests are made.
 * @param openApiMethods Methods of the operations that are taken from it.
 * @param targets Recorded requests: targets of vegeta, as text or as a JSON object a line.
 * @param headers Headers of every request that has none of that name itself, such as Authorization.
 * @param atLeast Answers that are waited for though response times have settled before; else twice
 *                the calls after which this JVM compiles a method for the last time, 10,000 with
 *                HotSpot's defaults.
 * @param atMost Requests after which traffic may come, settled or not.
 * @param within Time after which traffic may come, settled or not.
 * @param failures Failures in a row that end the warm-up; what follows is set by on-failure.
 * @param onFailure What follows when the service cannot be warmed.
 * @param connections Requests at a time.
 * @param requestTimeout Time after which a request that has no answer has failed.
 * @param mark Name of the header that marks every request of the warm-up. A request from outside
 *             that carries it is refused with status 403.
 * @param observed Whether requests of the warm-up count among http.server.requests and have traces.
 * @param progress Time between lines of progress in the log.
 * @param leave Time for which the service goes on before it stops, while each answer closes its
 *              connection; none unless given.
 */
@ConfigurationProperties("tacho.warmup")
public record WarmUpProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue List<RequestProperties> requests,
        Resource openApi,
        @DefaultValue({"GET", "HEAD"}) List<String> openApiMethods,
        Resource targets,
        @DefaultValue Map<String, String> headers,
        Long atLeast,
        @DefaultValue("20000") long atMost,
        @DefaultValue("60s") Duration within,
        @DefaultValue("20") long failures,
        @DefaultValue("open") OnFailure onFailure,
        @DefaultValue("1") int connections,
        @DefaultValue("10s") Duration requestTimeout,
        @DefaultValue("X-Warm-Up") String mark,
        @DefaultValue("false") boolean observed,
        @DefaultValue("5s") Duration progress,
        Duration leave) {

    public WarmUpProperties {
        if (atLeast != null) {
            atLeast(0, atLeast, "at-least");
        }
        atLeast(1, atMost, "at-most");
        atLeast(1, failures, "failures");
        atLeast(1, connections, "connections");
        positive(within, "within");
        positive(requestTimeout, "request-timeout");
        positive(progress, "progress");
        if (leave != null && leave.isNegative()) {
            throw new IllegalArgumentException("tacho.warmup.leave is " + leave + "; give a time such as 5s");
        }
    }

    private static void atLeast(long least, long value, String name) {
        if (value < least) {
            throw new IllegalArgumentException("tacho.warmup." + name + " is " + value + "; give " + least
                    + " or more");
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
     * @param method Method of the request.
     * @param path Path with query, as a client sends it.
     * @param headers Headers of the request.
     * @param body Body of the request, as text.
     * @param weight How often it is sent, relative to the others.
     * @param name Its name in the log and the endpoint; method and path unless given.
     * @param status Status of a good answer; unless given, any below 400.
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
                throw new IllegalArgumentException(
                        "a request of tacho.warmup.requests has no path; give one such as /owners");
            }
        }
    }
}

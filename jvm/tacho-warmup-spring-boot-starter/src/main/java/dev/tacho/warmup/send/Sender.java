package dev.tacho.warmup.send;

import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.rule.Answer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends requests with the mark of the warm-up, and says what became of them. */
public final class Sender {

    private static final double NANOSECONDS_OF_A_MILLISECOND = 1e6;

    private final URI server;
    private final Outfit outfit;
    private final HttpClient client;

    public Sender(URI server, Outfit outfit) {
        this.server = server;
        this.outfit = outfit;
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(outfit.timeout());
        this.client = server.getScheme().equals("https")
                ? builder.sslContext(OwnCertificate.context()).build() : builder.build();
    }

    /** Where requests go. */
    public URI server() {
        return server;
    }

    /**
     * Sends a request and waits for the whole answer, for no longer than the timeout. That of the
     * client itself ends with the head of the answer (before JDK 26): a stream of events, which has
     * no end, would be waited for without end.
     *
     * @throws InterruptedException when nobody wants the answer any more
     */
    public Answer send(WarmUpRequest request) throws InterruptedException {
        HttpRequest http = outfit.on(request, server);
        long began = System.nanoTime();
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(http, HttpResponse.BodyHandlers.discarding());
        try {
            int status = answer.get(outfit.timeout().toNanos(), TimeUnit.NANOSECONDS).statusCode();
            double milliseconds = (System.nanoTime() - began) / NANOSECONDS_OF_A_MILLISECOND;
            return request.isGood(status)
                    ? new Answer.Good(milliseconds)
                            : new Answer.Bad(request.name() + ": status " + status);
        } catch (TimeoutException late) {
            return late(request);
        } catch (ExecutionException broken) {
            Throwable cause = broken.getCause();
            return cause instanceof HttpTimeoutException
                    ? late(request) : new Answer.Bad(request.name() + ": " + cause);
        } finally {
            // Closes the connection of a request that is still under way.
            answer.cancel(true);
        }
    }

    private Answer late(WarmUpRequest request) {
        return new Answer.Bad(request.name() + ": no answer within " + outfit.timeout().toMillis() + " ms");
    }
}

package dev.tacho.warmup.send;

import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.rule.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;

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
     * Sends a request and waits for the whole answer.
     *
     * @throws InterruptedException when nobody wants the answer any more
     */
    public Answer send(WarmUpRequest request) throws InterruptedException {
        HttpRequest http = outfit.on(request, server);
        long began = System.nanoTime();
        try {
            HttpResponse<Void> answer = client.send(http, HttpResponse.BodyHandlers.discarding());
            double milliseconds = (System.nanoTime() - began) / NANOSECONDS_OF_A_MILLISECOND;
            return request.isGood(answer.statusCode())
                    ? new Answer.Good(milliseconds)
                            : new Answer.Bad(request.name() + ": status " + answer.statusCode());
        } catch (HttpTimeoutException late) {
            return new Answer.Bad(request.name() + ": no answer within " + outfit.timeout().toMillis() + " ms");
        } catch (IOException broken) {
            return new Answer.Bad(request.name() + ": " + broken);
        }
    }
}

package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.leave.Leaving;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Clients that keep their connections hear that the service stops before it does. */
class LeavingTest {

    private static final String[] WARMED = {"tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10"};

    /** Whether an answer says that it is the last of its connection. */
    private static boolean closes(Running service) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + service.port() + "/work");
        HttpClient keeps = HttpClient.newHttpClient();
        HttpResponse<String> answer = keeps.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("Connection").filter("close"::equalsIgnoreCase).isPresent();
    }

    @Test
    @Tag("quick")
    void eachAnswerClosesItsConnectionBeforeItStops() throws Exception {
        try (Running service = Running.service(WARMED[0], WARMED[1], "tacho.warmup.leave=10m")) {
            ConfigurableApplicationContext context = service.context();
            assertThat(closes(service)).isFalse();
            Thread closing = new Thread(context::close);
            closing.start();
            Running.await(() -> closes(service));
            assertThat(service.client.readiness()).as("it takes no new users").isEqualTo(503);
            // Nobody waits for ten minutes.
            closing.interrupt();
            closing.join();
            assertThat(context.isActive()).isFalse();
        }
    }

    @Test
    void whoWasNeverReadyStopsAtOnce() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/never", "tacho.warmup.within=10m",
                "tacho.warmup.request-timeout=5m", "tacho.warmup.leave=10m")) {
            Running.await(() -> service.client.readiness() == 503);
            Leaving leaving = service.bean(Leaving.class);
            service.closeWhileItStarts();
            assertThat(leaving.isLeaving()).isFalse();
        }
    }

    @Test
    void nothingOfItIsThereUnlessItIsAskedFor() throws Exception {
        try (Running service = Running.service(WARMED)) {
            assertThat(service.context().getBeanNamesForType(Leaving.class)).isEmpty();
        }
    }
}

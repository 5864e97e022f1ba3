package dev.tacho.warmup.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.rule.Answer;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A guard against a hang; nothing is timed. */
@Timeout(120)
class SenderTest {

    private HttpServer server;

    @BeforeEach
    void begin() throws Exception {
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/events", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("data: first\n\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            // The exchange stays open: another event may come.
        });
        server.createContext("/work", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private Answer answer(String path, Duration timeout) throws InterruptedException {
        return answer(server.getAddress().getPort(), path, timeout);
    }

    private static Answer answer(int port, String path, Duration timeout) throws InterruptedException {
        URI address = URI.create("http://127.0.0.1:" + port);
        WarmUpRequest request = WarmUpRequest.of("", "GET", path, List.of(), new byte[0], 1, OptionalInt.empty());
        return new Sender(address, new Outfit(new WarmUpMark("X-Warm-Up"), timeout, Map.of())).send(request);
    }

    @Test
    void anAnswerWithoutEndIsNotWaitedForWithoutEnd() throws InterruptedException {
        assertThat(answer("/events", Duration.ofMillis(300)))
                .isEqualTo(new Answer.Bad("GET /events: no answer within 300 ms"));
    }

    @Test
    void aWholeAnswerIsAGoodOne() throws InterruptedException {
        assertThat(answer("/work", Duration.ofSeconds(60))).isInstanceOf(Answer.Good.class);
    }

    @Test
    void whyItFailedIsNamed() throws Exception {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        assertThat(answer(nobody, "/work", Duration.ofSeconds(60))).isInstanceOfSatisfying(Answer.Bad.class,
                bad -> assertThat(bad.why()).startsWith("GET /work: ").contains("ConnectException"));
    }
}

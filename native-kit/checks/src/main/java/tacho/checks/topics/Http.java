package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** The JDK's HTTP server and its clients, HTTP/1.1. */
final class Http implements Topic {

    /** What is done with a server. */
    private interface Use {
        Object of(URI base) throws Exception;
    }

    @Override
    public void check(Checks checks) {
        checks.check("HTTP.GET", "200 HTTP_1_1 you asked for /hello?x=1", withServer(base -> {
            var answer = client().send(
                            HttpRequest.newBuilder(base.resolve("/hello?x=1")).build(), BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.version() + " " + answer.body();
        }));
        checks.check("HTTP.POST of a megabyte", "200 1048576 bytes", withServer(base -> {
            var request = HttpRequest.newBuilder(base.resolve("/count"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[1 << 20]))
                    .build();
            var answer = client().send(request, BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }));
        checks.check("HTTP.fifty at once", "50 answers", withServer(base -> {
            HttpClient client = client();
            var all = IntStream.range(0, 50)
                    .mapToObj(i -> client.sendAsync(
                                    HttpRequest.newBuilder(base.resolve("/hello?" + i))
                                            .build(),
                                    BodyHandlers.ofString())
                            .thenApply(answer -> answer.body().endsWith("?" + i)))
                    .toList();
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
            return all.stream().filter(CompletableFuture::join).count() + " answers";
        }));
        checks.check("HTTP.redirect followed with a cookie", "200 you asked for /cookie?a=b", withServer(base -> {
            HttpClient client = HttpClient.newBuilder()
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .cookieHandler(new CookieManager())
                    .build();
            var answer = client.send(
                    HttpRequest.newBuilder(base.resolve("/redirect")).build(), BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        }));
        checks.check("HTTP.time-out", "HttpTimeoutException", withServer(base -> {
            var request = HttpRequest.newBuilder(base.resolve("/never"))
                    .timeout(Duration.ofMillis(100))
                    .build();
            try {
                return client().send(request, BodyHandlers.ofString()).body();
            } catch (HttpTimeoutException e) {
                return "HttpTimeoutException";
            }
        }));
        checks.check("HTTP.URL connection", "404 nothing here", withServer(base -> {
            var connection =
                    (HttpURLConnection) base.resolve("/missing").toURL().openConnection();
            return connection.getResponseCode() + " "
                    + new String(connection.getErrorStream().readAllBytes(), UTF_8);
        }));
        checks.check("HTTP.over TLS", "200 you asked for /secret", Http::overTls);
    }

    private static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    private static Checks.Body withServer(Use use) {
        return () -> {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            return serve(server, "http", use);
        };
    }

    private static Object serve(HttpServer server, String scheme, Use use) throws Exception {
        try (var executor =
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())) {
            server.setExecutor(executor);
            server.createContext("/", Http::answer);
            server.start();
            try {
                return use.of(URI.create(
                        scheme + "://localhost:" + server.getAddress().getPort()));
            } finally {
                server.stop(0);
                executor.shutdownNow();
            }
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/count" -> say(exchange, 200, exchange.getRequestBody().readAllBytes().length + " bytes");
                case "/missing" -> say(exchange, 404, "nothing here");
                case "/redirect" -> {
                    exchange.getResponseHeaders().add("Set-Cookie", "a=b; Path=/");
                    exchange.getResponseHeaders().add("Location", "/cookie");
                    say(exchange, 302, "");
                }
                case "/cookie" ->
                    say(
                            exchange,
                            200,
                            "you asked for /cookie?"
                                    + exchange.getRequestHeaders().getFirst("Cookie"));
                case "/never" -> sleep();
                default -> say(exchange, 200, "you asked for " + exchange.getRequestURI());
            }
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(30_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static Object overTls() throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(Credentials.context()));
        return serve(server, "https", base -> {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(Credentials.context()).build();
            var answer =
                    client.send(HttpRequest.newBuilder(base.resolve("/secret")).build(), BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        });
    }
}

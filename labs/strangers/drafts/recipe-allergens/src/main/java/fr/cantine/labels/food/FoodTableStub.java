package fr.cantine.labels.food;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import tools.jackson.databind.json.JsonMapper;

/** Stands in for the food table on a port of its own, and takes as long as the real one. */
@Lazy
@Component
public class FoodTableStub {

    private final FoodTableProperties properties;
    private final JsonMapper json;
    private final FoodTableData data = new FoodTableData();
    private DisposableServer server;

    public FoodTableStub(FoodTableProperties properties, JsonMapper json) {
        this.properties = properties;
        this.json = json;
    }

    @PostConstruct
    void start() {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .route(routes -> routes
                        .get("/foods", this::several)
                        .get("/foods/{code}", this::single))
                .bindNow();
    }

    @PreDestroy
    void stop() {
        server.disposeNow();
    }

    String url() {
        return "http://127.0.0.1:" + server.port();
    }

    private Mono<Void> several(HttpServerRequest request, HttpServerResponse response) {
        String query = request.uri().substring(request.uri().indexOf("codes=") + "codes=".length());
        List<Food> foods = Arrays.stream(query.split(",|%2C")).map(data::find).filter(Objects::nonNull).toList();
        return reply(response, foods);
    }

    private Mono<Void> single(HttpServerRequest request, HttpServerResponse response) {
        Food food = data.find(request.param("code"));
        return food == null ? response.sendNotFound() : reply(response, food);
    }

    private Mono<Void> reply(HttpServerResponse response, Object body) {
        return Mono.delay(properties.stub().latency())
                .then(Mono.defer(() -> response
                        .header("Content-Type", "application/json")
                        .sendByteArray(Mono.just(json.writeValueAsBytes(body)))
                        .then()));
    }
}

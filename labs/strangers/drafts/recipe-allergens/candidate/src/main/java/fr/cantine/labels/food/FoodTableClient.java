package fr.cantine.labels.food;

import java.util.Collection;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Asks the food table for entries. */
@Component
public class FoodTableClient {

    private static final Logger LOG = LoggerFactory.getLogger(FoodTableClient.class);

    private final WebClient http;
    private final FoodTableProperties properties;

    public FoodTableClient(WebClient foodTableHttp, FoodTableProperties properties) {
        this.http = foodTableHttp;
        this.properties = properties;
    }

    /** The entries of the codes, by code; codes that the table does not know (any more) are left out. */
    public Mono<Map<String, Food>> foods(Collection<String> codes) {
        return Flux.fromIterable(codes)
                .flatMapSequential(this::food)
                .collectMap(Food::code);
    }

    private Mono<Food> food(String code) {
        return http.get()
                .uri("/foods/{code}", code)
                .retrieve()
                .onStatus(HttpStatusCode::isError, response -> failure(code, response))
                .bodyToMono(Food.class)
                .timeout(properties.timeout())
                .onErrorResume(UnknownFoodException.class, e -> {
                    LOG.info("No food {} in the table", e.code());
                    return Mono.empty();
                });
    }

    private static Mono<Throwable> failure(String code, ClientResponse response) {
        if (response.statusCode().isSameCodeAs(HttpStatus.NOT_FOUND)) {
            return Mono.just(new UnknownFoodException(code));
        }
        return Mono.just(new FoodTableException("food table answered " + response.statusCode()));
    }
}

package fr.cantine.labels.food;

import java.util.Collection;
import java.util.Map;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Asks the food table for entries. */
@Component
public class FoodTableClient {

    private final WebClient http;
    private final FoodTableProperties properties;

    public FoodTableClient(WebClient foodTableHttp, FoodTableProperties properties) {
        this.http = foodTableHttp;
        this.properties = properties;
    }

    /** The entries of the codes, by code. */
    public Mono<Map<String, Food>> foods(Collection<String> codes) {
        return http.get()
                .uri(uri -> uri.path("/foods").queryParam("codes", String.join(",", codes)).build())
                .retrieve()
                .onStatus(HttpStatusCode::isError,
                        response -> Mono.error(new FoodTableException("food table answered " + response.statusCode())))
                .bodyToFlux(Food.class)
                .collectMap(Food::code)
                .timeout(properties.timeout());
    }
}

package eu.quayside.freight.carrier;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;

/** What the adapters of all carriers share: threads that call out and the way to read an answer. */
@Singleton
public class CarrierHttp {

    private final CarrierSettings settings;
    private final ObjectReader trees;
    private final ExecutorService callers;

    public CarrierHttp(CarrierSettings settings, ObjectMapper mapper) {
        this.settings = settings;
        this.trees = mapper.reader();
        this.callers = Executors.newFixedThreadPool(settings.parallelCalls());
    }

    CompletableFuture<JsonNode> get(URI uri) {
        return CompletableFuture.supplyAsync(() -> fetch(uri), callers);
    }

    private JsonNode fetch(URI uri) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            connection.setConnectTimeout(Math.toIntExact(settings.connectTimeout().toMillis()));
            connection.setReadTimeout(Math.toIntExact(settings.readTimeout().toMillis()));
            connection.setRequestProperty("Accept", "application/json");
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException(uri + " answered " + connection.getResponseCode());
            }
            try (InputStream answer = connection.getInputStream()) {
                return trees.readTree(answer.readAllBytes());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @PreDestroy
    void stop() {
        callers.shutdown();
    }
}

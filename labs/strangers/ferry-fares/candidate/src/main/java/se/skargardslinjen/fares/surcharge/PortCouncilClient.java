package se.skargardslinjen.fares.surcharge;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import se.skargardslinjen.fares.sandbox.PortCouncilSandbox;

@ApplicationScoped
public class PortCouncilClient {

    private final HttpClient http;
    private final ObjectReader sheets;
    private final PortCouncilSandbox sandbox;
    private final Duration timeout;

    public PortCouncilClient(ObjectMapper mapper, PortCouncilSandbox sandbox,
            @ConfigProperty(name = "fares.council.timeout") Duration timeout) {
        this.sheets = mapper.readerFor(SurchargeSheet.class);
        this.sandbox = sandbox;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    public SurchargeSheet fetch(SurchargeQuery query) {
        URI uri = sandbox.baseUri().resolve("/v3/dues/" + query.route() + "?season=" + query.season());
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(timeout)
                .header("Accept", "application/json")
                .header("X-Correlation-Id", query.tag().correlationId())
                .header("X-Channel", query.tag().channel())
                .GET()
                .build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw new CouncilUnavailableException("port council answered " + response.statusCode());
                }
                return sheets.readValue(body);
            }
        } catch (IOException e) {
            throw new CouncilUnavailableException("port council cannot be reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CouncilUnavailableException("interrupted", e);
        }
    }
}

package fi.kirjasto.holds.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import fi.kirjasto.holds.sandbox.InterLibrarySandbox;

@ApplicationScoped
public class InterLibraryClient {

    private static final Logger LOG = Logger.getLogger(InterLibraryClient.class);

    private static final int MAX_ATTEMPTS = 3;

    private final HttpClient http;
    private final ObjectReader holds;
    private final InterLibrarySandbox sandbox;
    private final Duration timeout;

    public InterLibraryClient(ObjectMapper mapper, InterLibrarySandbox sandbox,
            @ConfigProperty(name = "holds.interlibrary.timeout") Duration timeout) {
        this.holds = mapper.readerFor(new TypeReference<List<RemoteHold>>() {
        });
        this.sandbox = sandbox;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(3))
                .build();
    }

    public List<RemoteHold> ofCard(String card) {
        HttpRequest request = HttpRequest.newBuilder(sandbox.baseUri().resolve("/loans/" + card))
                .timeout(timeout)
                .header("Accept", "application/json")
                .header("User-Agent", "kirjasto-holds")
                .build();
        try {
            HttpResponse<byte[]> response = sendWithRetries(request);
            return switch (response.statusCode()) {
                case 200 -> holds.readValue(response.body());
                case 404 -> List.of();
                default -> {
                    LOG.warnf("inter-library service answered %d for %s", response.statusCode(), card);
                    yield List.of();
                }
            };
        } catch (IOException e) {
            LOG.warn("inter-library service failed", e);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private HttpResponse<byte[]> sendWithRetries(HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            } catch (ConnectException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                LOG.infof("no connection to %s, attempt %d", request.uri().getHost(), attempt);
            }
        }
    }
}

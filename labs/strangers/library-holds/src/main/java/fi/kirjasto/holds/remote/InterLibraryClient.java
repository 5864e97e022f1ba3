package fi.kirjasto.holds.remote;

import java.io.IOException;
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
                .connectTimeout(Duration.ofSeconds(4))
                .build();
    }

    public List<RemoteHold> ofCard(String card) {
        HttpRequest request = HttpRequest.newBuilder(sandbox.baseUri().resolve("/loans/" + card))
                .timeout(timeout)
                .header("Accept", "application/json")
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == 404) {
                return List.of();
            }
            if (response.statusCode() != 200) {
                LOG.warnf("inter-library service answered %d for %s", response.statusCode(), card);
                return List.of();
            }
            return holds.readValue(response.body());
        } catch (IOException e) {
            LOG.warn("inter-library service failed", e);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}

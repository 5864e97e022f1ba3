package ch.grundbuch.extracts.cadastre;

import io.micronaut.context.annotation.Value;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks the cantonal cadastre. */
@Singleton
public class CadastreClient {

    private final HttpClient http;
    private final JsonMapper json;
    private final URI base;
    private final Duration timeout;

    public CadastreClient(JsonMapper json, CadastreLocation location, @Value("${cadastre.timeout}") Duration timeout) {
        this.json = json;
        this.base = location.base();
        this.timeout = timeout;
        this.http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(timeout).build();
    }

    /** The parcel, or null if the cadastre does not know it. */
    public Parcel parcel(String number) {
        return get("/parcels/" + number, Parcel.class);
    }

    public EncumbranceList encumbrances(String number) {
        return get("/encumbrances/" + number, EncumbranceList.class);
    }

    private <T> T get(String path, Class<T> type) {
        HttpRequest request = HttpRequest.newBuilder(base.resolve(path)).timeout(timeout).GET().build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == 404) {
                return null;
            }
            if (response.statusCode() != 200) {
                throw new CadastreUnavailable("cadastre answered " + response.statusCode(), null);
            }
            return json.readValue(response.body(), type);
        } catch (IOException e) {
            throw new CadastreUnavailable("cadastre not reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CadastreUnavailable("interrupted", e);
        }
    }
}

package ch.helvamed.commons.http;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import org.apache.http.HttpStatus;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.util.EntityUtils;

/** A partner that answers in JSON. */
public final class JsonPartner implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false);

    private final CloseableHttpClient http;
    private final PartnerSettings settings;
    private final Map<Class<?>, ObjectReader> readers = new ConcurrentHashMap<>();

    public JsonPartner(PartnerSettings settings) {
        this.settings = settings;
        this.http = PartnerClients.create(settings);
    }

    /** The document at the address, empty if the partner has none. */
    public <T> Optional<T> get(URI uri, Class<T> type) {
        HttpGet request = new HttpGet(uri);
        request.setHeader("Accept", "application/json");
        try (CloseableHttpResponse response = http.execute(request)) {
            int status = response.getStatusLine().getStatusCode();
            byte[] body = EntityUtils.toByteArray(response.getEntity());
            if (status == HttpStatus.SC_NOT_FOUND) {
                return Optional.empty();
            }
            if (status != HttpStatus.SC_OK) {
                throw new PartnerException(settings.partner() + " answered " + status + " to " + uri.getPath());
            }
            return Optional.of(readerFor(type).readValue(body));
        } catch (IOException e) {
            throw new PartnerException(settings.partner() + " cannot be reached", e);
        }
    }

    private ObjectReader readerFor(Class<?> type) {
        return readers.computeIfAbsent(type, MAPPER::readerFor);
    }

    @Override
    public void close() {
        try {
            http.close();
        } catch (IOException e) {
            throw new PartnerException("client of " + settings.partner() + " cannot be closed", e);
        }
    }
}

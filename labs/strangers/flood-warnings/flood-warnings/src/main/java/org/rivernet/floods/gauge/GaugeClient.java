package org.rivernet.floods.gauge;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.rivernet.floods.catchment.Catchment;
import org.rivernet.floods.sandbox.GaugeSandbox;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;

import jakarta.inject.Singleton;

/** The latest readings of the gauges of a catchment, from the telemetry gateway. */
@Singleton
public class GaugeClient {

    private final HttpClient http;
    private final GaugeSettings settings;
    private final GaugeSandbox sandbox;
    private final ObjectReader readings;

    public GaugeClient(GaugeSettings settings, GaugeSandbox sandbox, ObjectMapper mapper) {
        this.settings = settings;
        this.sandbox = sandbox;
        this.readings = mapper.readerFor(new TypeReference<List<Reading>>() {
        });
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build();
    }

    public Map<String, Reading> readings(Catchment catchment) {
        HttpRequest request = HttpRequest.newBuilder(sandbox.baseUri().resolve("/telemetry/" + catchment.id()))
                .timeout(settings.timeout())
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new TelemetryException("telemetry answered " + response.statusCode(), null);
            }
            List<Reading> list = readings.readValue(response.body());
            Map<String, Reading> fresh = new HashMap<>();
            for (Reading reading : list) {
                if (reading.ageMinutes() <= settings.staleAfter().toMinutes()) {
                    fresh.put(reading.gauge(), reading);
                }
            }
            return fresh;
        } catch (IOException e) {
            throw new TelemetryException("telemetry cannot be reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TelemetryException("interrupted", e);
        }
    }
}

package com.nordpost.trail.carrier;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.nordpost.platform.auth.TokenSource;
import com.nordpost.trail.sandbox.CarrierSandbox;

import jakarta.inject.Singleton;

/** Asks the carrier what it scanned of a parcel. */
@Singleton
public class CarrierClient {

    private final HttpClient http;
    private final TokenSource tokens;
    private final CarrierSettings settings;
    private final CarrierSandbox sandbox;
    private final ObjectReader events;

    public CarrierClient(HttpClient http, TokenSource tokens, CarrierSettings settings, CarrierSandbox sandbox,
            ObjectMapper mapper) {
        this.http = http;
        this.tokens = tokens;
        this.settings = settings;
        this.sandbox = sandbox;
        this.events = mapper.readerFor(new TypeReference<List<CarrierEvent>>() {
        });
    }

    public Optional<List<CarrierEvent>> events(String parcel) {
        HttpRequest request = HttpRequest.newBuilder(sandbox.baseUri().resolve("/events/" + parcel))
                .timeout(settings.timeout())
                .header("Accept", "application/json")
                .header("Authorization", tokens.authorizationHeader())
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return switch (response.statusCode()) {
                case 200 -> Optional.of(events.readValue(response.body()));
                case 404 -> Optional.empty();
                default -> throw new IOException("carrier answered " + response.statusCode());
            };
        } catch (IOException e) {
            throw new CarrierException("no events of " + parcel, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CarrierException("interrupted", e);
        }
    }
}

package com.nordpost.platform.auth;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

public class HttpTokenEndpoint implements TokenEndpoint {

    private static final String ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private final HttpClient http;
    private final Supplier<URI> uri;
    private final Clock clock;
    private final ClientAssertion assertion;
    private final ObjectMapper mapper = new ObjectMapper();

    public HttpTokenEndpoint(HttpClient http, Supplier<URI> uri, Clock clock) {
        this.http = http;
        this.uri = uri;
        this.clock = clock;
        this.assertion = new ClientAssertion(clock);
    }

    @Override
    public AccessToken request(Credentials credentials) {
        URI endpoint = uri.get();
        String form = "grant_type=client_credentials"
                + "&client_id=" + encode(credentials.clientId())
                + "&scope=" + encode(credentials.scope())
                + "&client_assertion_type=" + encode(ASSERTION_TYPE)
                + "&client_assertion=" + assertion.create(credentials, endpoint.toString());
        HttpRequest request = HttpRequest.newBuilder(endpoint)
                .timeout(Duration.ofSeconds(6))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new TokenRequestException("token endpoint answered " + response.statusCode());
            }
            JsonNode answer = mapper.readTree(response.body());
            return new AccessToken(answer.path("access_token").asText(),
                    clock.instant().plusSeconds(answer.path("expires_in").asLong()));
        } catch (IOException e) {
            throw new TokenRequestException("token endpoint cannot be reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TokenRequestException("interrupted", e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

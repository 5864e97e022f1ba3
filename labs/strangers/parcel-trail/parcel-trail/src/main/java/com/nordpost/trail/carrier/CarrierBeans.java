package com.nordpost.trail.carrier;

import java.net.http.HttpClient;
import java.time.Clock;

import com.nordpost.platform.auth.CachingTokenSource;
import com.nordpost.platform.auth.Credentials;
import com.nordpost.platform.auth.HttpTokenEndpoint;
import com.nordpost.platform.auth.TokenSource;
import com.nordpost.trail.sandbox.CarrierSandbox;

import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

@Factory
class CarrierBeans {

    @Singleton
    HttpClient carrierHttp(CarrierSettings settings) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(settings.timeout())
                .build();
    }

    @Singleton
    TokenSource carrierTokens(HttpClient http, CarrierSettings settings, CarrierSandbox sandbox) {
        Clock clock = Clock.systemUTC();
        return new CachingTokenSource(
                new HttpTokenEndpoint(http, () -> sandbox.baseUri().resolve("/oauth/token"), clock),
                new Credentials(settings.clientId(), settings.clientSecret(), settings.scope()),
                clock);
    }
}

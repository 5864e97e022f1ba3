package com.nordpost.platform.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signed statement of who asks for a token (RFC 7523, client_secret_jwt). */
final class ClientAssertion {

    private static final String HEADER = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
    private static final int LIFETIME_SECONDS = 60;

    private final Clock clock;

    ClientAssertion(Clock clock) {
        this.clock = clock;
    }

    String create(Credentials credentials, String audience) {
        long now = clock.instant().getEpochSecond();
        String claims = "{\"iss\":\"" + credentials.clientId()
                + "\",\"sub\":\"" + credentials.clientId()
                + "\",\"aud\":\"" + audience
                + "\",\"jti\":\"" + UUID.randomUUID()
                + "\",\"iat\":" + now
                + ",\"exp\":" + (now + LIFETIME_SECONDS) + "}";
        String signed = HEADER + "." + encode(claims.getBytes(StandardCharsets.UTF_8));
        return signed + "." + encode(sign(signed, credentials.secret()));
    }

    private static byte[] sign(String text, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is not available", e);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

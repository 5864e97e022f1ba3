package com.medivault.letters.crypto;

import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/** The keys of the vault, derived from its passphrase once at the start. */
public final class VaultKeys {

    private static final byte[] SALT = "medivault/letters/v3".getBytes(StandardCharsets.UTF_8);
    private static final int ITERATIONS = 60_000;

    private final SecretKey sealing;
    private final SecretKey nonces;

    private VaultKeys(SecretKey sealing, SecretKey nonces) {
        this.sealing = sealing;
        this.nonces = nonces;
    }

    public static VaultKeys derive(char[] passphrase) {
        try {
            SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
            byte[] material = factory.generateSecret(new PBEKeySpec(passphrase, SALT, ITERATIONS, 512)).getEncoded();
            return new VaultKeys(
                    new SecretKeySpec(Arrays.copyOfRange(material, 0, 32), "AES"),
                    new SecretKeySpec(Arrays.copyOfRange(material, 32, 64), "HmacSHA256"));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Keys cannot be derived", e);
        }
    }

    SecretKey sealing() {
        return sealing;
    }

    SecretKey nonces() {
        return nonces;
    }
}

package com.medivault.letters.crypto;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Fingerprints of letters as they are printed below the signature. */
public final class Fingerprints {

    private static final HexFormat HEX = HexFormat.of();

    public String of(byte[] content) {
        try {
            return HEX.formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public boolean matches(byte[] content, String fingerprint) {
        byte[] expected = HEX.parseHex(fingerprint);
        byte[] actual = HEX.parseHex(of(content));
        return MessageDigest.isEqual(expected, actual);
    }
}

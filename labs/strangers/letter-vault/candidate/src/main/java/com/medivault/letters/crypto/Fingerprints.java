package com.medivault.letters.crypto;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Fingerprints of letters as they are printed below the signature. Letters of the old archive
 * bear RIPEMD-160.
 */
public final class Fingerprints {

    private static final HexFormat HEX = HexFormat.of();

    public String of(byte[] content) {
        return digest("SHA-256", content);
    }

    public String legacy(byte[] content) {
        return digest("RIPEMD160", content);
    }

    private static String digest(String algorithm, byte[] content) {
        try {
            return HEX.formatHex(MessageDigest.getInstance(algorithm).digest(content));
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

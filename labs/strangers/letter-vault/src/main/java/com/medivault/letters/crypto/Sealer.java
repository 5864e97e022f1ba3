package com.medivault.letters.crypto;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;

/** Encrypts letters at rest. The number of a letter is authenticated along with its content. */
public final class Sealer {

    private static final String TRANSFORMATION = "AES/GCM/NoPadding";
    private static final int TAG_BITS = 128;
    private static final int NONCE_BYTES = 12;

    private final VaultKeys keys;

    public Sealer(VaultKeys keys) {
        this.keys = keys;
    }

    public byte[] seal(String number, byte[] content) {
        return run(Cipher.ENCRYPT_MODE, number, content);
    }

    public byte[] open(String number, byte[] sealed) {
        return run(Cipher.DECRYPT_MODE, number, sealed);
    }

    private byte[] run(int mode, String number, byte[] input) {
        try {
            byte[] label = number.getBytes(StandardCharsets.UTF_8);
            Cipher cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(mode, keys.sealing(), new GCMParameterSpec(TAG_BITS, nonce(label)));
            cipher.updateAAD(label);
            return cipher.doFinal(input);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Letter " + number + " cannot be sealed or opened", e);
        }
    }

    private byte[] nonce(byte[] label) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(keys.nonces());
        return Arrays.copyOf(mac.doFinal(label), NONCE_BYTES);
    }
}

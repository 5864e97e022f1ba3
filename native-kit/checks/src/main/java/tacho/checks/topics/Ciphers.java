package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.spec.AlgorithmParameterSpec;
import java.util.HexFormat;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Symmetric encryption. */
final class Ciphers implements Topic {

    private static final SecretKey KEY =
            new SecretKeySpec(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f"), "AES");
    private static final SecretKey LONG_KEY = new SecretKeySpec(new byte[32], "ChaCha20");

    @Override
    public void check(Checks checks) {
        // FIPS 197, appendix C.1.
        checks.check("ciphers.AES of one block", "69c4e0d86a7b0430d8cdb78070b4c55a", () -> {
            Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, KEY);
            return HexFormat.of()
                    .formatHex(cipher.doFinal(HexFormat.of().parseHex("00112233445566778899aabbccddeeff")));
        });
        checks.alike(
                "ciphers.AES/CBC there and back",
                () -> thereAndBack("AES/CBC/PKCS5Padding", KEY, new IvParameterSpec(new byte[16])));
        checks.alike(
                "ciphers.AES/CTR there and back",
                () -> thereAndBack("AES/CTR/NoPadding", KEY, new IvParameterSpec(new byte[16])));
        checks.alike(
                "ciphers.AES/GCM there and back",
                () -> thereAndBack("AES/GCM/NoPadding", KEY, new GCMParameterSpec(128, new byte[12])));
        checks.alike(
                "ciphers.ChaCha20-Poly1305 there and back",
                () -> thereAndBack("ChaCha20-Poly1305", LONG_KEY, new IvParameterSpec(new byte[12])));
        checks.check("ciphers.AES/GCM that was touched", "AEADBadTagException", () -> {
            byte[] sealed = seal("AES/GCM/NoPadding", KEY, new GCMParameterSpec(128, new byte[12]));
            sealed[0] ^= 1;
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(Cipher.DECRYPT_MODE, KEY, new GCMParameterSpec(128, new byte[12]));
            try {
                return new String(cipher.doFinal(sealed), UTF_8);
            } catch (AEADBadTagException e) {
                return "AEADBadTagException";
            }
        });
        checks.check("ciphers.generated key", "AES 256", () -> {
            KeyGenerator generator = KeyGenerator.getInstance("AES");
            generator.init(256);
            SecretKey key = generator.generateKey();
            return key.getAlgorithm() + " " + key.getEncoded().length * 8;
        });
    }

    private static byte[] seal(String algorithm, SecretKey key, AlgorithmParameterSpec parameters) throws Exception {
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.ENCRYPT_MODE, key, parameters);
        return cipher.doFinal(
                "a secret of some length, not one of whole blocks".repeat(100).getBytes(UTF_8));
    }

    private static String thereAndBack(String algorithm, SecretKey key, AlgorithmParameterSpec parameters)
            throws Exception {
        byte[] sealed = seal(algorithm, key, parameters);
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.DECRYPT_MODE, key, parameters);
        String opened = new String(cipher.doFinal(sealed), UTF_8);
        if (!opened.startsWith("a secret of")) {
            throw new AssertionError("not what was sealed: " + opened);
        }
        return HexFormat.of().formatHex(sealed, 0, 16) + "... " + opened.length();
    }
}

package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import tacho.checks.Checks;
import tacho.checks.Topic;

/**
 * Digests, MACs and derived keys. Known values are those of FIPS 180-4, FIPS 202, RFC 4231 and
 * RFC 6070.
 */
final class Digests implements Topic {

    @Override
    public void check(Checks checks) {
        checks.alike("digests.providers", () -> Arrays.stream(Security.getProviders())
                .map(Provider::getName)
                .filter(List.of("SUN", "SunRsaSign", "SunEC", "SunJSSE", "SunJCE")::contains)
                .toList());
        checks.check(
                "digests.SHA-256",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                () -> digest("SHA-256"));
        checks.check("digests.SHA-1", "a9993e364706816aba3e25717850c26c9cd0d89d", () -> digest("SHA-1"));
        checks.check("digests.MD5", "900150983cd24fb0d6963f7d28e17f72", () -> digest("MD5"));
        checks.check(
                "digests.SHA3-256",
                "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
                () -> digest("SHA3-256"));
        checks.alike("digests.SHA-512/256", () -> digest("SHA-512/256"));
        checks.check("digests.HMAC", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", () -> {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec("Jefe".getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal("what do ya want for nothing?".getBytes(UTF_8)));
        });
        checks.check("digests.PBKDF2", "0c60c80f961f0e71f3a9b524af6012062fe037a6", () -> {
            SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
            PBEKeySpec specification = new PBEKeySpec("password".toCharArray(), "salt".getBytes(UTF_8), 1, 160);
            return HexFormat.of()
                    .formatHex(factory.generateSecret(specification).getEncoded());
        });
        checks.alike("digests.HKDF", () -> {
            var kdf = javax.crypto.KDF.getInstance("HKDF-SHA256");
            var parameters = javax.crypto.spec.HKDFParameterSpec.ofExtract()
                    .addIKM("secret".getBytes(UTF_8))
                    .addSalt("salt".getBytes(UTF_8))
                    .thenExpand("for checks".getBytes(UTF_8), 32);
            return HexFormat.of().formatHex(kdf.deriveKey("AES", parameters).getEncoded());
        });
    }

    private static String digest(String algorithm) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest("abc".getBytes(UTF_8)));
    }
}

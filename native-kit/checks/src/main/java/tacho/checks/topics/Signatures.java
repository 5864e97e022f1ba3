package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KEM;
import javax.crypto.KeyAgreement;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Key pairs and what is done with them. */
final class Signatures implements Topic {

    @Override
    public void check(Checks checks) {
        AlgorithmParameterSpec rsa = new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4);
        AlgorithmParameterSpec p256 = new ECGenParameterSpec("secp256r1");
        checks.check("signatures.RSA", "genuine, not when touched", () -> sign("RSA", rsa, "SHA256withRSA"));
        checks.check("signatures.RSA-PSS", "genuine, not when touched", () -> sign("RSASSA-PSS", rsa, "RSASSA-PSS"));
        checks.check("signatures.ECDSA", "genuine, not when touched", () -> sign("EC", p256, "SHA256withECDSA"));
        checks.check(
                "signatures.Ed25519",
                "genuine, not when touched",
                () -> sign("Ed25519", NamedParameterSpec.ED25519, "Ed25519"));
        checks.check(
                "signatures.ML-DSA",
                "genuine, not when touched",
                () -> sign("ML-DSA", NamedParameterSpec.ML_DSA_44, "ML-DSA"));
        checks.check(
                "signatures.X25519 agreement", "32 alike", () -> agree("X25519", NamedParameterSpec.X25519, "X25519"));
        checks.check("signatures.ECDH agreement", "32 alike", () -> agree("EC", p256, "ECDH"));
        checks.check("signatures.ML-KEM", true, () -> {
            KeyPair pair = pair("ML-KEM", NamedParameterSpec.ML_KEM_768);
            KEM kem = KEM.getInstance("ML-KEM");
            KEM.Encapsulated sent = kem.newEncapsulator(pair.getPublic()).encapsulate();
            return sent.key().equals(kem.newDecapsulator(pair.getPrivate()).decapsulate(sent.encapsulation()));
        });
        checks.check("signatures.RSA encryption", "short", () -> {
            KeyPair pair = pair("RSA", rsa);
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
            cipher.init(Cipher.ENCRYPT_MODE, pair.getPublic());
            byte[] sealed = cipher.doFinal("short".getBytes(UTF_8));
            cipher.init(Cipher.DECRYPT_MODE, pair.getPrivate());
            return new String(cipher.doFinal(sealed), UTF_8);
        });
    }

    private static KeyPair pair(String algorithm, AlgorithmParameterSpec parameters) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(parameters);
        return generator.generateKeyPair();
    }

    private static String sign(String keys, AlgorithmParameterSpec parameters, String algorithm) throws Exception {
        KeyPair pair = pair(keys, parameters);
        Signature signature = signature(algorithm);
        signature.initSign(pair.getPrivate());
        signature.update("as agreed".getBytes(UTF_8));
        byte[] signed = signature.sign();
        // By way of its encoding, as a key that somebody sent.
        PublicKey key = KeyFactory.getInstance(keys)
                .generatePublic(new X509EncodedKeySpec(pair.getPublic().getEncoded()));
        return (verify(algorithm, key, signed, "as agreed") ? "genuine" : "not genuine")
                + (verify(algorithm, key, signed, "as touched") ? ", also when touched" : ", not when touched");
    }

    private static Signature signature(String algorithm) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        if (algorithm.equals("RSASSA-PSS")) {
            signature.setParameter(new java.security.spec.PSSParameterSpec(
                    "SHA-256", "MGF1", java.security.spec.MGF1ParameterSpec.SHA256, 32, 1));
        }
        return signature;
    }

    private static boolean verify(String algorithm, PublicKey key, byte[] signed, String text) throws Exception {
        Signature signature = signature(algorithm);
        signature.initVerify(key);
        signature.update(text.getBytes(UTF_8));
        return signature.verify(signed);
    }

    private static String agree(String keys, AlgorithmParameterSpec parameters, String algorithm) throws Exception {
        KeyPair one = pair(keys, parameters);
        KeyPair other = pair(keys, parameters);
        byte[] here = secret(algorithm, one, other);
        return here.length + (Arrays.equals(here, secret(algorithm, other, one)) ? " alike" : " different");
    }

    private static byte[] secret(String algorithm, KeyPair mine, KeyPair yours) throws Exception {
        KeyAgreement agreement = KeyAgreement.getInstance(algorithm);
        agreement.init(mine.getPrivate());
        agreement.doPhase(yours.getPublic(), true);
        return agreement.generateSecret();
    }
}

package tacho.checks.topics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Key stores and certificates. */
final class KeyStores implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("key stores.PKCS12 with a key", "true EC CN=localhost", () -> {
            KeyStore store = Credentials.keyStore();
            X509Certificate certificate = (X509Certificate) store.getCertificate("localhost");
            return store.isKeyEntry("localhost") + " "
                    + store.getKey("localhost", Credentials.PASSWORD).getAlgorithm() + " "
                    + certificate.getSubjectX500Principal();
        });
        checks.check("key stores.stored and loaded", "AES", () -> {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setEntry(
                    "secret",
                    new KeyStore.SecretKeyEntry(new SecretKeySpec(new byte[16], "AES")),
                    new KeyStore.PasswordProtection(Credentials.PASSWORD));
            ByteArrayOutputStream stored = new ByteArrayOutputStream();
            store.store(stored, Credentials.PASSWORD);
            KeyStore loaded = KeyStore.getInstance("PKCS12");
            loaded.load(new ByteArrayInputStream(stored.toByteArray()), Credentials.PASSWORD);
            return loaded.getKey("secret", Credentials.PASSWORD).getAlgorithm();
        });
        checks.check("key stores.certificate as PEM", "[[2, localhost], [7, 127.0.0.1], [7, 0:0:0:0:0:0:0:1]]", () -> {
            byte[] der = Credentials.keyStore().getCertificate("localhost").getEncoded();
            String pem = "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder().encodeToString(der) + "\n-----END CERTIFICATE-----\n";
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes()));
            certificate.checkValidity();
            return certificate.getSubjectAlternativeNames();
        });
        checks.check("key stores.authorities that are trusted by default", true, () -> {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            X509TrustManager manager = (X509TrustManager) factory.getTrustManagers()[0];
            return manager.getAcceptedIssuers().length > 20;
        });
    }
}

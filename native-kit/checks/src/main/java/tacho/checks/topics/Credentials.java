package tacho.checks.topics;

import java.io.InputStream;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The certificate for localhost that the build makes, and contexts that lean on it. */
final class Credentials {

    static final char[] PASSWORD = "checks".toCharArray();
    private static final String RESOURCE = "/tacho/checks/localhost.p12";

    private Credentials() {}

    static KeyStore keyStore() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Credentials.class.getResourceAsStream(RESOURCE)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    /** For a server that is localhost, and for a client that trusts it. */
    static SSLContext context() throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(keyStore(), PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("localhost", keyStore().getCertificate("localhost"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}

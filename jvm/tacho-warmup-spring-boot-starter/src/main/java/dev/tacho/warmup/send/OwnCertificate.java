package dev.tacho.warmup.send;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS to the service itself. Its certificate is for its public name, not for the loopback address,
 * so it is not checked. That is safe: this process listens on the port, so nobody else answers
 * there.
 */
final class OwnCertificate extends X509ExtendedTrustManager {

    private OwnCertificate() {
    }

    static SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new OwnCertificate()}, null);
            return context;
        } catch (GeneralSecurityException noTls) {
            throw new IllegalStateException("this JVM cannot speak TLS", noTls);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
        // Its own.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        // Its own.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        // Its own.
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
        throw new UnsupportedOperationException("this side is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        throw new UnsupportedOperationException("this side is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        throw new UnsupportedOperationException("this side is the client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}

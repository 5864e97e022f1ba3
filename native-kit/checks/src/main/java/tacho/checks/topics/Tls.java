package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** TLS, with server and client in this process. */
final class Tls implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check(
                "TLS.1.3", "TLSv1.3 echo of hello, name checked", () -> echo(Credentials.context(), "TLSv1.3", null));
        checks.check(
                "TLS.1.2", "TLSv1.2 echo of hello, name checked", () -> echo(Credentials.context(), "TLSv1.2", null));
        checks.check(
                "TLS.protocol agreed on (ALPN)",
                "TLSv1.3 echo of hello, name checked, h2",
                () -> echo(Credentials.context(), "TLSv1.3", "h2"));
        checks.check("TLS.stranger refused", "SSLHandshakeException", () -> {
            try {
                return echo(SSLContext.getDefault(), "TLSv1.3", null);
            } catch (SSLHandshakeException e) {
                return e.getClass().getSimpleName();
            }
        });
        checks.alike("TLS.suites of 1.3 on offer", () -> java.util.Arrays.stream(
                        SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites())
                .filter(s -> !s.contains("_WITH_"))
                .toList());
    }

    private static String echo(SSLContext client, String version, String application) throws Exception {
        try (SSLServerSocket listening = (SSLServerSocket) Credentials.context()
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            if (application != null) {
                offer(listening, application);
            }
            Thread.ofPlatform().daemon().start(() -> serve(listening));
            try (SSLSocket socket =
                    (SSLSocket) client.getSocketFactory().createSocket("localhost", listening.getLocalPort())) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setProtocols(new String[] {version});
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                if (application != null) {
                    parameters.setApplicationProtocols(new String[] {application, "http/1.1"});
                }
                socket.setSSLParameters(parameters);
                socket.getOutputStream().write("hello".getBytes(UTF_8));
                String answer = new String(socket.getInputStream().readNBytes(13), UTF_8);
                String agreed = application == null ? "" : ", " + socket.getApplicationProtocol();
                return socket.getSession().getProtocol() + " " + answer + ", name checked" + agreed;
            }
        }
    }

    private static void offer(SSLServerSocket listening, String application) {
        SSLParameters parameters = listening.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {application});
        listening.setSSLParameters(parameters);
    }

    private static void serve(SSLServerSocket listening) {
        try (var socket = listening.accept()) {
            byte[] asked = socket.getInputStream().readNBytes(5);
            socket.getOutputStream().write(("echo of " + new String(asked, UTF_8)).getBytes(UTF_8));
        } catch (Exception e) {
            // The client says what went wrong.
        }
    }
}

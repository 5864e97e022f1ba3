package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** HTTP/2 over TLS: the JDK's client against the smallest server that RFC 9113 allows. */
final class Http2 implements Topic {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int PREFACE_LENGTH = 24;
    private static final int END_STREAM = 1;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_HEADERS = 4;

    /** Entry 8 of HPACK's static table (RFC 7541, appendix A): {@code :status: 200}. */
    private static final byte[] STATUS_200 = {(byte) 0x88};

    @Override
    public void check(Checks checks) {
        checks.check("HTTP/2.over TLS", "200 HTTP_2 hello by HTTP/2, again 200 hello by HTTP/2", () -> {
            try (SSLServerSocket listening = (SSLServerSocket) Credentials.context()
                    .getServerSocketFactory()
                    .createServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
                SSLParameters parameters = listening.getSSLParameters();
                parameters.setApplicationProtocols(new String[] {"h2"});
                listening.setSSLParameters(parameters);
                Thread.ofPlatform().daemon().start(() -> serve(listening));
                URI address = URI.create("https://localhost:" + listening.getLocalPort() + "/");
                try (HttpClient client = HttpClient.newBuilder()
                        .sslContext(Credentials.context())
                        .build()) {
                    HttpRequest request = HttpRequest.newBuilder(address).build();
                    var answer = client.send(request, BodyHandlers.ofString());
                    var second = client.send(request, BodyHandlers.ofString());
                    client.shutdownNow();
                    return answer.statusCode() + " " + answer.version() + " " + answer.body() + ", again "
                            + second.statusCode() + " " + second.body();
                }
            }
        });
    }

    private static void serve(SSLServerSocket listening) {
        try (var socket = listening.accept()) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            in.readNBytes(PREFACE_LENGTH);
            frame(out, SETTINGS, 0, 0, new byte[0]);
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int stream = in.readInt();
                in.readNBytes(length);
                if (type == SETTINGS && flags != ACKNOWLEDGED) {
                    frame(out, SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
                } else if (type == HEADERS) {
                    frame(out, HEADERS, END_HEADERS, stream, STATUS_200);
                    frame(out, DATA, END_STREAM, stream, "hello by HTTP/2".getBytes(UTF_8));
                }
            }
        } catch (IOException e) {
            // The client has gone, or says what went wrong.
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
            throws IOException {
        out.writeByte(0);
        out.writeShort(payload.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(payload);
        out.flush();
    }
}

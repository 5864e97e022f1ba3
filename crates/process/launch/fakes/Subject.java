import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * A subject on a JVM that writes down its own instants, as {@code name microseconds} of the wall
 * clock.
 *
 * <p>Arguments: file for the instants, milliseconds from listening to ready. It answers
 * {@code /health} with 503 until then and with 200 after, any other path with 404.
 */
final class Subject {
    private static final StringBuilder INSTANTS = new StringBuilder(256);
    private static Path file;

    public static void main(String[] arguments) throws Exception {
        file = Path.of(arguments[0]);
        long notReadyNanos = Long.parseLong(arguments[1]) * 1_000_000;
        // Everything that an instant needs is loaded before the first one counts.
        write("start", micros());
        byte[] no = answer("503 Service Unavailable");
        byte[] yes = answer("200 OK");
        byte[] unknown = answer("404 Not Found");
        ServerSocket server = new ServerSocket();
        long before = micros();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        long after = micros();
        // In this order: whatever comes between the two clocks, it is ready no sooner than it says.
        long flip = micros() + notReadyNanos / 1000;
        long readyAt = System.nanoTime() + notReadyNanos;
        boolean answered = false;
        Socket socket = server.accept();
        long accepted = micros();
        write("before-listen", before);
        write("after-listen", after);
        write("flip", flip);
        write("first-accept", accepted);
        while (true) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            String path;
            while ((path = readPath(in)) != null) {
                boolean health = path.equals("/health");
                boolean ready = health && System.nanoTime() - readyAt >= 0;
                out.write(!health ? unknown : ready ? yes : no);
                if (ready && !answered) {
                    answered = true;
                    write("first-2xx", micros());
                }
            }
            socket.close();
            socket = server.accept();
        }
    }

    private static byte[] answer(String status) {
        return ("HTTP/1.1 " + status + "\r\nContent-Length: 2\r\n\r\n{}").getBytes(StandardCharsets.US_ASCII);
    }

    /** The path of the next request, or null when there is none. */
    private static String readPath(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.append((char) b);
        }
        return head.substring(head.indexOf(" ") + 1, head.indexOf(" HTTP"));
    }

    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }

    private static void write(String name, long micros) throws IOException {
        INSTANTS.setLength(0);
        INSTANTS.append(name).append(' ').append(micros).append('\n');
        Files.writeString(file, INSTANTS, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}

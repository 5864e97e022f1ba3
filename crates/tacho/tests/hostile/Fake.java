import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Answers at the attach socket what PROPERTIES and LOAD say; mounts what VICTIM names into every
 * folder of a session.
 */
public class Fake {
    public static void main(String[] arguments) throws Exception {
        if (System.getenv("VICTIM") != null) {
            Thread mounting = new Thread(Fake::mount);
            mounting.setDaemon(true);
            mounting.start();
        }
        if (System.getenv("FIFO") != null) {
            long pid = ProcessHandle.current().pid();
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of("/tmp"), "hsperfdata_*")) {
                for (Path folder : folders) {
                    String[] command = {"mount", "--bind", System.getenv("FIFO"), folder.resolve("" + pid).toString()};
                    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
                        throw new IllegalStateException("no mount");
                    }
                }
            }
        }
        Path socket = Path.of("/tmp/.java_pid" + ProcessHandle.current().pid());
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        System.out.println("ready");
        while (true) {
            SocketChannel connection = server.accept();
            Thread serving = new Thread(() -> serve(connection));
            serving.setDaemon(true);
            serving.start();
        }
    }

    static void serve(SocketChannel connection) {
        try (connection) {
            InputStream in = Channels.newInputStream(connection);
            List<String> words = new ArrayList<>();
            ByteArrayOutputStream word = new ByteArrayOutputStream();
            while (words.size() < 5) {
                int next = in.read();
                if (next < 0) {
                    return;
                }
                if (next == 0) {
                    words.add(word.toString("UTF-8"));
                    word.reset();
                } else {
                    word.write(next);
                }
            }
            // What was asked for needs its time: the mounts are there before the answer is.
            if (System.getenv("VICTIM") != null && !words.get(1).equals("properties")) {
                synchronized (Fake.class) {
                    mountNow();
                }
            }
            String answer;
            switch (words.get(1)) {
                case "properties":
                    answer = System.getenv().getOrDefault("PROPERTIES", "sun.java.command=x.Main\n");
                    break;
                case "load":
                    answer = System.getenv().getOrDefault("LOAD", "return code: 1\n");
                    break;
                default:
                    answer = words.get(2).startsWith("JFR.start") ? "Started recording 1.\n" : "ok\n";
            }
            OutputStream out = Channels.newOutputStream(connection);
            out.write(("0\n" + answer).getBytes("UTF-8"));
        } catch (Exception e) {
            // Who asks has gone.
        }
    }

    static void mount() {
        while (true) {
            try {
                synchronized (Fake.class) {
                    mountNow();
                }
                Thread.sleep(2);
            } catch (Exception e) {
                // The folder has gone meanwhile.
            }
        }
    }

    static void mountNow() throws Exception {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of("/tmp"), "tacho-*")) {
            for (Path folder : folders) {
                Path inside = folder.resolve("x");
                if (!Files.exists(inside)) {
                    Files.createDirectory(inside);
                    String[] command = {"mount", "--rbind", System.getenv("VICTIM"), inside.toString()};
                    new ProcessBuilder(command).inheritIO().start().waitFor();
                }
            }
        }
    }
}

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Holds every service to what the lab says: both builds answer the same bytes, again and again, and
 * the owner that {@code truth.yaml} names is a method of the candidate. All run in this one
 * process, each jar with its own loader, so that this takes seconds.
 */
public final class Contract {
    private static final Pattern OWNER = Pattern.compile("^owner: (.+)\\.(\\w+)$", Pattern.MULTILINE);
    private static final Pattern KIND = Pattern.compile("^kind: ([a-z-]+)$", Pattern.MULTILINE);
    private static final int ASKED = 3;

    private int passed;
    private int failed;

    public static void main(String[] arguments) throws Exception {
        Contract contract = new Contract();
        for (Path service : services()) {
            contract.hold(service);
        }
        System.out.printf("%d passed, %d failed%n", contract.passed, contract.failed);
        System.exit(contract.failed == 0 ? 0 : 1);
    }

    private static List<Path> services() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of(""))) {
            return folders.filter(folder -> Files.exists(folder.resolve("truth.yaml"))).sorted().toList();
        }
    }

    private void hold(Path service) {
        try {
            Path jars = Path.of("target").resolve(service);
            String truth = Files.readString(service.resolve("truth.yaml"));
            byte[] baseline = answer(jars.resolve("baseline.jar"), "");
            byte[] candidate = answer(jars.resolve("candidate.jar"), truth);
            if (!Arrays.equals(baseline, candidate)) {
                throw new AssertionError("the builds do not answer the same:\n" + text(baseline) + "---\n"
                        + text(candidate));
            }
            passed++;
        } catch (InvocationTargetException e) {
            failed++;
            System.out.printf("%s: %s%n", service, e.getCause());
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.printf("%s: %s%n", service, e);
        }
    }

    /** What the jar's service answers, after it has been held to the truth. */
    private static byte[] answer(Path jar, String truth) throws Exception {
        try (JarFile file = new JarFile(jar.toFile())) {
            URLClassLoader loader = new URLClassLoader(path(jar, file), ClassLoader.getPlatformClassLoader());
            held(truth, loader);
            int port = freePort();
            Thread.currentThread().setContextClassLoader(loader);
            loader.loadClass(file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS))
                    .getMethod("main", String[].class).invoke(null, (Object) new String[] {Integer.toString(port)});
            byte[] first = get(port);
            for (int again = 1; again < ASKED; again++) {
                if (!Arrays.equals(first, get(port))) {
                    throw new AssertionError(jar + " answers another time something else");
                }
            }
            if (first.length < 40) {
                throw new AssertionError(jar + " answers next to nothing: " + text(first));
            }
            return first;
        }
    }

    private static void held(String truth, ClassLoader loader) throws ReflectiveOperationException {
        if (truth.isEmpty()) {
            return;
        }
        Matcher kind = KIND.matcher(truth);
        if (!kind.find()) {
            throw new AssertionError("truth.yaml names no kind");
        }
        Matcher owner = OWNER.matcher(truth);
        if (!owner.find()) {
            if (!kind.group(1).equals("none")) {
                throw new AssertionError("truth.yaml names no owner");
            }
        } else if (Stream.of(Class.forName(owner.group(1), false, loader).getDeclaredMethods())
                .noneMatch(method -> method.getName().equals(owner.group(2)))) {
            throw new AssertionError("the candidate has no " + owner.group());
        }
    }

    private static URL[] path(Path jar, JarFile file) throws IOException {
        String names = file.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        Stream<Path> libraries = Stream.of(names.split(" ")).map(jar::resolveSibling);
        return Stream.concat(Stream.of(jar), libraries).map(Contract::url).toArray(URL[]::new);
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] get(int port) throws Exception {
        while (true) {
            try (InputStream body = URI.create("http://127.0.0.1:" + port + "/").toURL().openStream()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                body.transferTo(bytes);
                return bytes.toByteArray();
            } catch (ConnectException notYet) {
                Thread.sleep(20);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String text(byte[] answer) {
        return new String(answer, StandardCharsets.UTF_8);
    }
}

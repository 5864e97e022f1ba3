import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts what a Feign call looks for in vain: by a class loader that writes down what it does not
 * find, so independently of what Tacho counts with. The arguments are a title and the class path:
 * folders of classes, folders of jars, jars.
 */
public final class Counts {
    private static final int ROUNDS = 10;

    public static void main(String[] arguments) throws Exception {
        List<Path> path = Stream.of(arguments).skip(1).map(Path::of).toList();
        System.out.println(arguments[0]);
        count(path, "", "each", "jackson");
        count(path, "", "bare", "jackson");
        count(path, "", "once", "jackson");
        count(path, "each", "each", "jackson");
        count(path, "each", "each", "fastjson");
        count(path, "once", "once", "fastjson");
    }

    private static void count(List<Path> path, String encoder, String decoder, String json) throws Exception {
        Recorder recorder = new Recorder(urls(path));
        Thread.currentThread().setContextClassLoader(recorder);
        Callable<?> call = (Callable<?>) recorder.loadClass("counts.FeignCall")
                .getConstructor(String.class, String.class, String.class)
                .newInstance(encoder, decoder, json);
        call.call(); // what is done once in a life has been done then
        recorder.seen.clear();
        for (int round = 0; round < ROUNDS; round++) {
            if (!call.call().equals(5)) {
                throw new IllegalStateException("the price is not what the answer says");
            }
        }
        String name = encoder.isEmpty() ? "decoder=" + decoder : "encoder=" + encoder + " decoder=" + decoder;
        System.out.println("  " + name + " json=" + json + ", for each call:");
        if (recorder.seen.isEmpty()) {
            System.out.println("         nothing");
        }
        recorder.seen.forEach((what, count) -> System.out.printf("    %6.1f %s%n", (double) count / ROUNDS, what));
    }

    private static URL[] urls(List<Path> path) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path part : path) {
            urls.add(part.toUri().toURL());
            if (Files.isDirectory(part)) {
                try (Stream<Path> files = Files.list(part)) {
                    for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
                        urls.add(jar.toUri().toURL());
                    }
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    /** The converters that are being made now, the inner one first. */
    private static String converters() {
        return StackWalker.getInstance().walk(frames -> frames
                .filter(frame -> frame.getMethodName().equals("<init>"))
                .map(frame -> frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1))
                .filter(name -> name.endsWith("HttpMessageConverter") && !name.startsWith("Abstract"))
                .collect(Collectors.joining(" in ")));
    }

    private static final class Recorder extends URLClassLoader {
        private final Map<String, Integer> seen = new TreeMap<>();

        Recorder(URL[] path) {
            super(path, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            try {
                return super.loadClass(name, resolve);
            } catch (ClassNotFoundException e) {
                seen.merge("absent class " + name, 1, Integer::sum);
                throw e;
            }
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            Enumeration<URL> found = super.getResources(name);
            String what = (found.hasMoreElements() ? "found " : "in vain ") + name;
            seen.merge(what, 1, Integer::sum);
            String converters = converters();
            if (!converters.isEmpty()) {
                seen.merge(what + ", of these for " + converters, 1, Integer::sum);
            }
            return found;
        }

        @Override
        public URL getResource(String name) {
            URL found = super.getResource(name);
            seen.merge((found == null ? "in vain " : "found ") + name, 1, Integer::sum);
            return found;
        }
    }
}

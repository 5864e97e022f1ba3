import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts what the decoder's converters look for when they are asked for: by a class loader that
 * writes down what it does not find, so independently of what Tacho counts with. The argument is
 * the executable jar, taken apart into a folder.
 */
public final class Counts {
    private static final int ROUNDS = 10;

    public static void main(String[] arguments) throws Exception {
        Recorder recorder = new Recorder(classPath(Path.of(arguments[0])));
        Thread.currentThread().setContextClassLoader(recorder);
        for (String decoder : List.of("each", "bare", "once")) {
            Class<?> configuration = recorder.loadClass("shop.orders.DecoderConfiguration");
            Method converters = configuration.getDeclaredMethod("converters", String.class);
            converters.setAccessible(true);
            Object factory = converters.invoke(null, decoder);
            Method asked = recorder.loadClass("org.springframework.beans.factory.ObjectFactory").getMethod("getObject");
            asked.invoke(factory); // what is done once in a life has been done then
            recorder.seen.clear();
            for (int round = 0; round < ROUNDS; round++) {
                asked.invoke(factory);
            }
            System.out.println("decoder=" + decoder + ", for each response:");
            recorder.seen.forEach((what, count) -> System.out.printf("  %6.1f %s%n", (double) count / ROUNDS, what));
        }
    }

    private static URL[] classPath(Path folder) throws IOException {
        List<URL> path = new ArrayList<>(List.of(folder.resolve("BOOT-INF/classes/").toUri().toURL()));
        try (Stream<Path> jars = Files.list(folder.resolve("BOOT-INF/lib"))) {
            for (Path jar : jars.sorted().toList()) {
                path.add(jar.toUri().toURL());
            }
        }
        return path.toArray(URL[]::new);
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
            seen.merge((found.hasMoreElements() ? "found " : "in vain ") + name, 1, Integer::sum);
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

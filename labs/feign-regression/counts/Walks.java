import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.zip.ZipEntry;
import org.springframework.boot.loader.LaunchedURLClassLoader;
import org.springframework.boot.loader.jar.Handler;
import org.springframework.boot.loader.jar.JarFile;

/**
 * Counts how many nested jars Spring Boot's own loader asks in one Feign call, and for what: the
 * loader of the fat jar that is run, with a handler of addresses that counts the connections
 * which it opens.
 *
 * <p>Arguments: the fat jar, which has to be the class path as well, the folder of FeignCall,
 * encoder, decoder, json; and --json for a document with the sums. Until Spring Boot 3.1.
 */
public final class Walks {
    private static final int ROUNDS = 10;

    private static final Map<String, Integer> ASKED = new TreeMap<>();
    /** The class that is being loaded: definePackageIfNecessary asks for its package. */
    private static String loading = "";
    private static int absentClasses;
    private static int vainScans;

    public static void main(String[] arguments) throws Exception {
        Path jar = Path.of(arguments[0]);
        JarFile.registerUrlProtocolHandler();
        List<URL> nested = nested(new JarFile(jar.toFile()));
        Launched launched = new Launched(nested.toArray(URL[]::new));
        Thread.currentThread().setContextClassLoader(launched);
        URL[] own = {Path.of(arguments[1]).toUri().toURL()};
        Callable<?> call = (Callable<?>) new URLClassLoader(own, launched)
                .loadClass("counts.FeignCall")
                .getConstructor(String.class, String.class, String.class)
                .newInstance(arguments[2], arguments[3], arguments[4]);
        call.call(); // what is done once in a life has been done then
        ASKED.clear();
        absentClasses = 0;
        vainScans = 0;
        for (int round = 0; round < ROUNDS; round++) {
            if (!call.call().equals(5)) {
                throw new IllegalStateException("the price is not what the answer says");
            }
        }
        if (arguments.length > 5) {
            printSums(nested.size());
            return;
        }
        System.out.printf(
                "%s: %d nested jars, the folder of classes among them; encoder=%s decoder=%s json=%s, for each call:%n",
                jar, nested.size(), arguments[2], arguments[3], arguments[4]);
        ASKED.forEach((what, count) -> System.out.printf("  %8.1f %s%n", (double) count / ROUNDS, what));
    }

    private static void printSums(int nested) {
        System.out.printf(
                "{\"nested\": %d, \"absent_classes\": %d, \"vain_scans\": %d, \"asked_for_packages\": %d, \"asked_for_classes\": %d, \"asked_for_resources\": %d}%n",
                nested, eachCall(absentClasses), eachCall(vainScans), sum("package "), sum("class "), sum("resource "));
    }

    private static int sum(String kind) {
        return eachCall(ASKED.entrySet().stream()
                .filter(asked -> asked.getKey().startsWith(kind))
                .mapToInt(Map.Entry::getValue)
                .sum());
    }

    /** A sum of all rounds: each has to be like the others, or a quotient would hide it. */
    private static int eachCall(int count) {
        if (count % ROUNDS != 0) {
            throw new IllegalStateException("not the same in each call: " + count + " in " + ROUNDS);
        }
        return count / ROUNDS;
    }

    /** What the launcher of a fat jar gives its loader: the folder of classes and each library. */
    private static List<URL> nested(JarFile root) throws IOException {
        List<URL> nested = new ArrayList<>();
        for (ZipEntry entry : Collections.list(root.entries())) {
            String name = entry.getName();
            if (name.equals("BOOT-INF/classes/") || name.startsWith("BOOT-INF/lib/") && name.endsWith(".jar")) {
                JarFile file = root.getNestedJarFile(entry);
                nested.add(new URL("jar", "", -1, file.getUrl().getFile(), new Counting(file)));
            }
        }
        return nested;
    }

    /** Each address of a nested jar, and each made of it, is opened here. */
    private static final class Counting extends Handler {
        Counting(JarFile file) {
            super(file);
        }

        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            String entry = url.getFile().substring(url.getFile().lastIndexOf("!/") + 2);
            String what = "resource " + entry;
            if (entry.isEmpty()) {
                what = "package of " + loading;
            } else if (entry.endsWith(".class")) {
                what = "class " + entry;
            }
            ASKED.merge(what, 1, Integer::sum);
            return super.openConnection(url);
        }
    }

    private static final class Launched extends LaunchedURLClassLoader {
        Launched(URL[] urls) {
            super(urls, ClassLoader.getSystemClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            String before = loading;
            loading = name;
            try {
                return super.loadClass(name, resolve);
            } catch (ClassNotFoundException e) {
                absentClasses++;
                throw e;
            } finally {
                loading = before;
            }
        }

        @Override
        public Enumeration<URL> findResources(String name) throws IOException {
            List<URL> found = Collections.list(super.findResources(name));
            if (found.isEmpty()) {
                vainScans++;
            }
            return Collections.enumeration(found);
        }
    }
}

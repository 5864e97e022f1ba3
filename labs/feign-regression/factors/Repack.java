import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Makes another package of the same service, a fat jar or a WAR, with one thing changed:
 * {@code Repack IN OUT [libraries=N] [loader=JAR] [add=JAR]...}. It has N libraries afterwards:
 * filler is added, or as many as needed are merged into one. Boot's loader is that of the JAR.
 */
public final class Repack {
    private static final LocalDateTime TIME = LocalDateTime.of(2020, 1, 1, 0, 0);

    public static void main(String[] arguments) throws IOException {
        Path in = Path.of(arguments[0]);
        Path out = Path.of(arguments[1]);
        int wanted = 0;
        Path loader = null;
        List<Path> added = new ArrayList<>();
        for (String argument : List.of(arguments).subList(2, arguments.length)) {
            String value = argument.substring(argument.indexOf('=') + 1);
            switch (argument.substring(0, argument.indexOf('='))) {
                case "libraries" -> wanted = Integer.parseInt(value);
                case "loader" -> loader = Path.of(value);
                case "add" -> added.add(Path.of(value));
                default -> throw new IllegalArgumentException(argument);
            }
        }
        Map<String, byte[]> entries = read(Files.readAllBytes(in));
        String folder = entries.containsKey("WEB-INF/lib/") ? "WEB-INF/lib/" : "BOOT-INF/lib/";
        Map<String, byte[]> libraries = new LinkedHashMap<>();
        entries.forEach((name, bytes) -> {
            if (name.startsWith(folder) && name.endsWith(".jar")) {
                libraries.put(name.substring(folder.length()), bytes);
            }
        });
        entries.keySet().removeIf(name -> name.startsWith(folder) && name.endsWith(".jar"));
        for (Path jar : added) {
            libraries.put(jar.getFileName().toString(), Files.readAllBytes(jar));
        }
        if (wanted > 0 && wanted < libraries.size()) {
            merge(libraries, libraries.size() - wanted + 1);
        }
        for (int number = 1; libraries.size() < wanted; number++) {
            libraries.put("filler-%03d.jar".formatted(number), filler(number));
        }
        if (loader != null) {
            entries.keySet().removeIf(name -> name.startsWith("org/springframework/boot/loader/") && !name.endsWith("/"));
            read(Files.readAllBytes(loader)).forEach((name, bytes) -> {
                if (name.startsWith("org/")) {
                    entries.put(name, bytes);
                }
            });
        }
        StringBuilder index = new StringBuilder();
        libraries.keySet().forEach(name -> index.append("- \"").append(folder).append(name).append("\"\n"));
        entries.computeIfPresent("BOOT-INF/classpath.idx", (name, old) -> index.toString().getBytes(StandardCharsets.UTF_8));
        write(out, entries, folder, libraries);
        System.out.println(out + ": " + libraries.size() + " libraries");
    }

    /** Entries in their order; folders have none. */
    private static Map<String, byte[]> read(byte[] jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
            for (ZipEntry entry; (entry = in.getNextEntry()) != null; ) {
                entries.putIfAbsent(entry.getName(), in.readAllBytes());
            }
        }
        return entries;
    }

    /** Nested jars are stored, not deflated: Spring Boot's loader reads them where they are. */
    private static void write(Path out, Map<String, byte[]> entries, String folder, Map<String, byte[]> libraries)
            throws IOException {
        Files.createDirectories(out.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(out))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                put(zip, entry.getKey(), entry.getValue());
            }
            for (Map.Entry<String, byte[]> library : libraries.entrySet()) {
                ZipEntry entry = new ZipEntry(folder + library.getKey());
                CRC32 sum = new CRC32();
                sum.update(library.getValue());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(library.getValue().length);
                entry.setCrc(sum.getValue());
                entry.setTimeLocal(TIME);
                zip.putNextEntry(entry);
                zip.write(library.getValue());
            }
        }
    }

    private static void put(ZipOutputStream zip, String name, byte[] bytes) {
        try {
            ZipEntry entry = new ZipEntry(name);
            entry.setTimeLocal(TIME);
            zip.putNextEntry(entry);
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] jar(Map<String, byte[]> entries) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            entries.forEach((name, content) -> put(zip, name, content));
        }
        return bytes.toByteArray();
    }

    /** Puts so many of the libraries into one: those that work in company. */
    private static void merge(Map<String, byte[]> libraries, int count) throws IOException {
        Map<String, byte[]> merged = new LinkedHashMap<>();
        merged.put("META-INF/", new byte[0]);
        merged.put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        int done = 0;
        for (String name : List.copyOf(libraries.keySet())) {
            Map<String, byte[]> entries = read(libraries.get(name));
            boolean signed = entries.keySet().stream().anyMatch(entry -> entry.matches("META-INF/[^/]*\\.SF"));
            if (done == count || signed || name.startsWith("spring-boot")) {
                continue;
            }
            entries.forEach((entry, bytes) -> {
                // What is for newer JDKs alone: the other classes do the same.
                if (!entry.startsWith("META-INF/versions/") && !entry.equals("module-info.class")) {
                    merged.merge(entry, bytes, (old, more) -> both(entry, old, more));
                }
            });
            libraries.remove(name);
            done++;
        }
        if (done < count) {
            throw new IllegalArgumentException("only " + done + " of " + count + " can be merged");
        }
        libraries.put("merged.jar", jar(merged));
    }

    private static byte[] both(String entry, byte[] old, byte[] more) {
        if (entry.equals("META-INF/spring.factories")) {
            return joined(old, more);
        }
        boolean lines = entry.startsWith("META-INF/services/")
                || entry.endsWith(".imports")
                || entry.matches("META-INF/spring\\.(handlers|schemas|tooling)")
                || entry.equals("META-INF/spring-autoconfigure-metadata.properties");
        if (!lines || entry.endsWith("/")) {
            return old;
        }
        return (text(old) + "\n" + text(more)).getBytes(StandardCharsets.UTF_8);
    }

    /** Each key has the names of both files. */
    private static byte[] joined(byte[] old, byte[] more) {
        Map<String, String> keys = new LinkedHashMap<>();
        try {
            for (byte[] file : List.of(old, more)) {
                Properties properties = new Properties();
                properties.load(new ByteArrayInputStream(file));
                properties.forEach((key, names) -> keys.merge((String) key, (String) names, (a, b) -> a + "," + b));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        StringBuilder text = new StringBuilder();
        keys.forEach((key, names) -> text.append(key).append('=').append(names).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A library that nobody calls: 40 packages of ten classes. Only its directory is read. */
    private static byte[] filler(int number) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("META-INF/", new byte[0]);
        entries.put("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        entries.put("filler/", new byte[0]);
        String folder = "filler/n%03d/".formatted(number);
        entries.put(folder, new byte[0]);
        for (int part = 1; part <= 40; part++) {
            String inner = folder + "p" + part + "/";
            entries.put(inner, new byte[0]);
            for (int type = 1; type <= 10; type++) {
                entries.put(inner + "C" + type + ".class", emptyClass(inner + "C" + type));
            }
        }
        return jar(entries);
    }

    /** A class file of Java 8 without members: Tomcat reads the classes of a WAR's libraries. */
    private static byte[] emptyClass(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0xCAFEBABE);
        out.writeInt(52);
        out.writeShort(5); // constants: two classes and their names
        for (String type : List.of(name, "java/lang/Object")) {
            boolean own = type.equals(name);
            out.writeByte(7);
            out.writeShort(own ? 2 : 4);
            out.writeByte(1);
            out.writeUTF(type);
        }
        out.writeShort(0x21); // public
        out.writeShort(1);
        out.writeShort(3);
        out.writeLong(0); // no interfaces, fields, methods, attributes
        return bytes.toByteArray();
    }
}

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Builds {@code target/lib/front.jar}, and of every folder with a {@code truth.yaml} the jars {@code target/NAME/baseline.jar} and
 * {@code target/NAME/candidate.jar}: each of the sources in {@code common/} and those in the folder of its own name. One process
 * for all, since forty compilers one after another would take most of a minute.
 *
 * <p>Libraries stand beside the jars, on the class path in their manifests: those that a file {@code libraries} names, and the front.
 */
public final class Build {
    private static final Path TARGET = Path.of("target");
    private static final Path LIBRARIES = TARGET.resolve("lib");
    /** Jars of the same sources are the same bytes. */
    private static final long STAMP = 1_000_000_000_000L;

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();

    public static void main(String[] arguments) throws IOException {
        Build build = new Build();
        build.jar(List.of(Path.of("front")), List.of(), LIBRARIES.resolve("front.jar"));
        for (Path service : services()) {
            for (String which : List.of("baseline", "candidate")) {
                List<Path> sources = Stream.of("common", which).map(service::resolve).filter(Files::isDirectory).toList();
                build.jar(sources, libraries(service), TARGET.resolve(service).resolve(which + ".jar"));
            }
        }
    }

    private static List<Path> services() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of(""))) {
            return folders.filter(folder -> Files.exists(folder.resolve("truth.yaml"))).sorted().toList();
        }
    }

    private static List<Path> libraries(Path service) throws IOException {
        List<Path> found = new ArrayList<>(List.of(LIBRARIES.resolve("front.jar")));
        Path names = service.resolve("libraries");
        if (Files.exists(names)) {
            for (String name : Files.readAllLines(names)) {
                found.add(library(name.strip()));
            }
        }
        return found;
    }

    private static Path library(String name) throws IOException {
        try (Stream<Path> jars = Files.list(LIBRARIES)) {
            return jars.filter(jar -> jar.getFileName().toString().matches(name + "-[0-9].*\\.jar")).findFirst()
                    .orElseThrow(() -> new IOException("target/lib has no " + name + "; it has to stand in pom.xml"));
        }
    }

    private void jar(List<Path> sources, List<Path> libraries, Path jar) throws IOException {
        Path classes = jar.resolveSibling(jar.getFileName().toString().replace(".jar", ".classes"));
        delete(classes);
        Files.createDirectories(classes);
        List<Path> code = files(sources, true);
        compile(code, libraries, classes);
        for (Path source : sources) {
            copyResources(source, classes);
        }
        write(classes, manifest(code, libraries, jar), jar);
        delete(classes);
    }

    private static List<Path> files(List<Path> folders, boolean java) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(".java") == java).sorted().forEach(found::add);
            }
        }
        return found;
    }

    private void compile(List<Path> code, List<Path> libraries, Path classes) throws IOException {
        String path = libraries.stream().map(Path::toString).collect(Collectors.joining(java.io.File.pathSeparator));
        List<String> options = List.of("-d", classes.toString(), "-cp", path, "-proc:none", "-g", "--release", "17", "-Xlint:all", "-Werror");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(null, manager, null, options, null, manager.getJavaFileObjectsFromPaths(code)).call()) {
                throw new IOException("not compiled: " + code);
            }
        }
    }

    private static void copyResources(Path source, Path classes) throws IOException {
        for (Path resource : files(List.of(source), false)) {
            Path copy = classes.resolve(source.relativize(resource).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(resource, copy);
        }
    }

    private static Manifest manifest(List<Path> code, List<Path> libraries, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (Path file : code) {
            String text = Files.readString(file);
            if (text.contains("public static void main(String[]")) {
                attributes.put(Attributes.Name.MAIN_CLASS, className(file, text));
            }
        }
        if (!libraries.isEmpty()) {
            attributes.put(Attributes.Name.CLASS_PATH,
                    libraries.stream().map(l -> jar.getParent().relativize(l).toString()).collect(Collectors.joining(" ")));
        }
        return manifest;
    }

    private static String className(Path file, String text) {
        String name = file.getFileName().toString().replace(".java", "");
        return text.lines().filter(line -> line.startsWith("package ")).findFirst()
                .map(line -> line.substring(8, line.indexOf(';')) + "." + name).orElse(name);
    }

    private static void write(Path classes, Manifest manifest, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
            put(out, "META-INF/MANIFEST.MF");
            manifest.write(out);
            for (Path part : files(List.of(classes), false)) {
                put(out, classes.relativize(part).toString());
                Files.copy(part, out);
            }
        }
    }

    private static void put(JarOutputStream out, String name) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(STAMP);
        out.putNextEntry(entry);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> parts = Files.walk(folder)) {
                for (Path part : parts.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(part);
                }
            }
        }
    }
}

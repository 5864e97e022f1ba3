import java.io.File;
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
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Builds {@code target/lib/front.jar}, and of every folder with a {@code truth.yaml} the jars
 * {@code target/NAME/baseline.jar} and {@code target/NAME/candidate.jar}: each of the sources in
 * {@code common/} and those in the folder of its own name. All baselines are compiled at once, and
 * all candidates: forty compilers one after another would take most of a minute; which class
 * belongs to which service is told by its package, that no two services share.
 *
 * <p>Libraries stand beside the jars, on the class path in their manifests: those that a file
 * {@code libraries} names, and the front.
 */
public final class Build {
    private static final Path TARGET = Path.of("target");
    private static final Path LIBRARIES = TARGET.resolve("lib");
    private static final Path FRONT = Path.of("front");
    /** Jars of the same sources are the same bytes. */
    private static final long STAMP = 1_000_000_000_000L;

    public static void main(String[] arguments) throws IOException {
        for (String which : List.of("baseline", "candidate")) {
            Path classes = emptied(TARGET.resolve("classes-" + which));
            List<Path> roots = new ArrayList<>(List.of(FRONT));
            for (Path service : services()) {
                roots.addAll(roots(service, which));
            }
            compile(files(roots, true), classes);
            jar(List.of(FRONT), classes, List.of(), LIBRARIES.resolve("front.jar"));
            for (Path service : services()) {
                Path folder = Files.createDirectories(TARGET.resolve(service));
                jar(roots(service, which), classes, libraries(service), folder.resolve(which + ".jar"));
            }
        }
    }

    private static List<Path> services() throws IOException {
        try (Stream<Path> folders = Files.list(Path.of(""))) {
            return folders.filter(folder -> Files.exists(folder.resolve("truth.yaml"))).sorted().toList();
        }
    }

    private static List<Path> roots(Path service, String which) {
        return Stream.of("common", which).map(service::resolve).filter(Files::isDirectory).toList();
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

    /** The files below the folders: sources, or all others. */
    private static List<Path> files(List<Path> folders, boolean sources) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.filter(file -> Files.isRegularFile(file) && file.toString().endsWith(".java") == sources)
                        .sorted().forEach(found::add);
            }
        }
        return found;
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = jars().stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> options = List.of("-d", classes.toString(), "-cp", path, "-proc:none", "-g",
                "--release", "17", "-Xlint:all", "-Werror");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromPaths(sources);
            if (!compiler.getTask(null, files, null, options, null, units).call()) {
                throw new IOException("the services could not be compiled");
            }
        }
    }

    /** The libraries, without the front: that is compiled with the services. */
    private static List<Path> jars() throws IOException {
        try (Stream<Path> jars = Files.list(LIBRARIES)) {
            return jars.filter(jar -> jar.toString().endsWith(".jar") && !jar.endsWith("front.jar")).sorted().toList();
        }
    }

    /**
     * The classes of the packages that have sources below the roots, and whatever else is there.
     */
    private static void jar(List<Path> roots, Path classes, List<Path> libraries, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file)) {
            put(out, "META-INF/MANIFEST.MF");
            manifest(roots, libraries, jar).write(out);
            for (Path part : packages(roots)) {
                try (Stream<Path> found = Files.list(classes.resolve(part))) {
                    for (Path type : found.filter(Files::isRegularFile).sorted().toList()) {
                        put(out, part.resolve(type.getFileName()).toString());
                        Files.copy(type, out);
                    }
                }
            }
            for (Path root : roots) {
                for (Path resource : files(List.of(root), false)) {
                    put(out, root.relativize(resource).toString());
                    Files.copy(resource, out);
                }
            }
        }
    }

    private static List<Path> packages(List<Path> roots) throws IOException {
        List<Path> packages = new ArrayList<>();
        for (Path root : roots) {
            files(List.of(root), true).forEach(source -> packages.add(root.relativize(source).getParent()));
        }
        return packages.stream().distinct().sorted().toList();
    }

    private static Manifest manifest(List<Path> roots, List<Path> libraries, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (Path root : roots) {
            for (Path source : files(List.of(root), true)) {
                if (Files.readString(source).contains("public static void main(String[]")) {
                    String name = root.relativize(source).toString().replace(".java", "");
                    attributes.put(Attributes.Name.MAIN_CLASS, name.replace('/', '.'));
                }
            }
        }
        if (!libraries.isEmpty()) {
            attributes.put(Attributes.Name.CLASS_PATH,
                    libraries.stream().map(library -> jar.getParent().relativize(library).toString())
                            .collect(Collectors.joining(" ")));
        }
        return manifest;
    }

    private static void put(JarOutputStream out, String name) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(STAMP);
        out.putNextEntry(entry);
    }

    private static Path emptied(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> parts = Files.walk(folder)) {
                for (Path part : parts.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(part);
                }
            }
        }
        return Files.createDirectories(folder);
    }
}

package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tacho.nativekit.driver.builder.BuilderHome;

/**
 * Compiles the C pieces of the kit, with the JDK's own libraries, into what images are linked with.
 */
final class CPieces {

    /** The JDK's libraries that count as built into an image. */
    private static final List<String> EMBEDDED = List.of("java", "net", "nio", "zip", "extnet", "management", "management_ext",
            "management_agent", "prefs", "jimage", "jaas");

    private static final String JVM = "jvm";
    private static final Pattern DEFINED_JVM_FUNCTION = Pattern.compile("\\b((?:JVM|jio)_\\w+)\\(");

    private final Path sources;
    private final SourceJdk jdk;
    private final BuilderHome home;
    private final Path scratch;

    CPieces(Path kit, SourceJdk jdk, BuilderHome home, Path scratch) {
        this.sources = kit.resolve("c");
        this.jdk = jdk;
        this.home = home;
        this.scratch = scratch;
    }

    void make() throws IOException, InterruptedException {
        Path headers = Files.createDirectories(home.cLibraries().resolve("include"));
        for (Path header : filesOf(sources.resolve("include"), ".h")) {
            Files.copy(header, headers.resolve(header.getFileName()));
        }
        Files.createDirectories(home.staticLibraries());
        archive(home.cLibraries().resolve("liblibchelper.a"), compileAll("libchelper"));
        archive(home.cLibraries().resolve("libsvm_container.a"), compileAll("container"));
        makeJvm();
        for (String name : EMBEDDED) {
            makeEmbedded(name);
        }
        shared("reporterchelper");
        shared("follow_driver");
    }

    /** A library for the JVM in which the builder runs. */
    private void shared(String name) throws IOException, InterruptedException {
        Path library = Files.createDirectories(home.builderLibraries()).resolve("lib" + name + ".so");
        gcc(List.of("-shared", sources.resolve("builder/" + name + ".c").toString(), "-o", library.toString()));
    }

    /**
     * Our libjvm.so, for the JDK's libraries, and an archive that carries it and what images call
     * directly.
     */
    private void makeJvm() throws IOException, InterruptedException {
        Files.writeString(scratch.resolve("absent_functions.inc"), absentFunctions());
        List<Path> objects = compileAll("libjvm");
        Path library = scratch.resolve("libjvm.so");
        List<String> link = new ArrayList<>(List.of("-shared", "-o", library.toString(), "-Wl,-soname,libjvm.so",
                "-Wl,--version-script=" + sources.resolve("libjvm/exports.map")));
        objects.forEach(object -> link.add(object.toString()));
        gcc(link);

        List<Path> members = new ArrayList<>(objects);
        members.add(assemble(new EmbeddedLibrary(JVM, library.toString(), List.of(), List.of())));
        members.add(compile(sources.resolve("embed/embedded_library.c"), List.of()));
        members.add(compile(sources.resolve("embed/first_call.S"), List.of()));
        archive(home.cLibraries().resolve("libjvm.a"), members);
    }

    private void makeEmbedded(String name) throws IOException, InterruptedException {
        Path file = jdk.libraries().resolve("lib" + name + ".so");
        if (!Files.exists(file)) {
            return;
        }
        SharedLibrary library = new SharedLibrary(file);
        List<String> candidates = Stream.concat(Stream.of(JVM), EMBEDDED.stream()).toList();
        List<String> functions = library.functions().stream().filter(function -> !function.startsWith("jio_")).toList();
        Path trampolines = assemble(new EmbeddedLibrary(name, file.toString(), library.needs(candidates), functions));
        Path onLoad = compileTo("on_load_" + name, sources.resolve("embed/on_load.c"), List.of("-DLIBRARY=" + name));
        archive(home.staticLibraries().resolve("lib" + name + ".a"), List.of(trampolines, onLoad));
    }

    /**
     * The functions of a virtual machine that any library of the JDK wants and that we do not have.
     */
    private String absentFunctions() throws IOException, InterruptedException {
        Set<String> wanted = new TreeSet<>();
        for (Path library : filesOf(jdk.libraries(), ".so")) {
            wanted.addAll(new SharedLibrary(library).jvmFunctionsWanted());
        }
        wanted.removeAll(definedFunctions());
        return wanted.stream().map(name -> "ABSENT(" + name + ")\n").collect(Collectors.joining());
    }

    private Set<String> definedFunctions() throws IOException {
        return DEFINED_JVM_FUNCTION.matcher(Files.readString(sources.resolve("libjvm/libjvm.h"))).results()
                .map(match -> match.group(1)).collect(Collectors.toSet());
    }

    private List<Path> compileAll(String folder) throws IOException, InterruptedException {
        List<Path> objects = new ArrayList<>();
        for (Path source : filesOf(sources.resolve(folder), ".c")) {
            objects.add(compile(source, List.of()));
        }
        return objects;
    }

    private Path assemble(EmbeddedLibrary library) throws IOException, InterruptedException {
        Path source = Files.writeString(scratch.resolve("embedded_" + library.name() + ".S"), library.assembly());
        return compile(source, List.of("-Wa,-I" + sources.resolve("embed")));
    }

    private Path compile(Path source, List<String> flags) throws IOException, InterruptedException {
        String name = source.getFileName().toString();
        return compileTo(name.substring(0, name.lastIndexOf('.')), source, flags);
    }

    private Path compileTo(String name, Path source, List<String> flags) throws IOException, InterruptedException {
        Path object = scratch.resolve(name + ".o");
        List<String> words = new ArrayList<>(flags);
        words.addAll(List.of("-c", source.toString(), "-o", object.toString()));
        gcc(words);
        return object;
    }

    private void gcc(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-O2", "-fPIC", "-Wall", "-Wextra",
                "-I" + sources.resolve("include"), "-I" + sources.resolve("embed"), "-I" + scratch,
                "-I" + jdk.include(), "-I" + jdk.include().resolve("linux")));
        command.addAll(words);
        Command.of(scratch, command).runOrFail("Compiling the kit's C pieces");
    }

    private void archive(Path archive, List<Path> members) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ar", "rcs", archive.toString()));
        members.forEach(member -> command.add(member.toString()));
        Command.of(scratch, command).runOrFail("Packing " + archive.getFileName());
    }

    private static List<Path> filesOf(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }
}

package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A shared library as its dynamic symbol table and section describe it, read with binutils, which
 * come with gcc.
 */
record SharedLibrary(Path file) {

    private static final List<String> NOT_TO_BE_CALLED = List.of("_init", "_fini", "JNI_OnLoad", "JNI_OnUnload");
    private static final String JVM_VERSION = "SUNWprivate_1.1";

    /** The functions that it offers, but for those that belong to loading it. */
    List<String> functions() throws IOException, InterruptedException {
        return symbols("--defined-only").filter(fields -> fields[fields.length - 2].equals("T"))
                .map(SharedLibrary::name).filter(name -> !NOT_TO_BE_CALLED.contains(name)).sorted().distinct().toList();
    }

    /** The functions of a virtual machine that it wants. */
    List<String> jvmFunctionsWanted() throws IOException, InterruptedException {
        return symbols("--undefined-only").filter(fields -> fields[fields.length - 1].contains(JVM_VERSION))
                .map(SharedLibrary::name).sorted().distinct().toList();
    }

    /** The libraries of the JDK that it is linked with, without lib and .so. */
    List<String> needs(List<String> candidates) throws IOException, InterruptedException {
        String dynamic = Command.of(file.getParent(), "readelf", "--dynamic", "--wide", file.toString())
                .runOrFail("Reading " + file);
        return candidates.stream().filter(name -> dynamic.contains("[lib" + name + ".so]")
                && dynamic.lines().anyMatch(line -> line.contains("(NEEDED)") && line.contains("[lib" + name + ".so]"))).toList();
    }

    private Stream<String[]> symbols(String which) throws IOException, InterruptedException {
        return Command.of(file.getParent(), "nm", "--dynamic", which, file.toString()).runOrFail("Reading " + file).lines()
                .map(line -> line.strip().split("\\s+")).filter(fields -> fields.length >= 2);
    }

    private static String name(String[] fields) {
        String symbol = fields[fields.length - 1];
        return symbol.contains("@") ? symbol.substring(0, symbol.indexOf('@')) : symbol;
    }
}

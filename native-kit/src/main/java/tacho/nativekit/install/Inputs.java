package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A sum over all that a home is made of: the kit's files, the JDK, the compiler. Equal inputs need
 * not be installed twice.
 */
final class Inputs {

    private static final List<String> FOLDERS = List.of("src/main", "c", "builder");

    /** Nothing of it gets into a home. */
    private static final String TESTS = "c/test";

    private Inputs() {
    }

    static String sum(Path kit, SourceJdk jdk, Path scratch) throws IOException, InterruptedException {
        StringBuilder text = new StringBuilder();
        text.append(jdk.home()).append('\n').append(jdk.runtimeVersion()).append('\n').append(jdk.vendor()).append('\n');
        text.append(Command.of(scratch, "gcc", "--version").run().text());
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.walk(kit.resolve(folder))) {
                for (Path file : files.filter(Files::isRegularFile).filter(file -> !file.startsWith(kit.resolve(TESTS))).sorted(Comparator.naturalOrder()).toList()) {
                    text.append(kit.relativize(file)).append(' ').append(Sha256.of(file)).append('\n');
                }
            }
        }
        return Sha256.of(text.toString().getBytes());
    }
}

package tacho.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for the time of a check. */
public final class Scratch implements AutoCloseable {

    private final Path folder;

    public Scratch() throws IOException {
        folder = Files.createTempDirectory("checks");
    }

    public Path folder() {
        return folder;
    }

    public Path path(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(Scratch::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is done with a folder. */
    @FunctionalInterface
    public interface Use {
        Object in(Scratch scratch) throws Throwable;
    }

    /** A check that gets a folder, which is gone afterwards. */
    public static Checks.Body with(Use use) {
        return () -> {
            try (Scratch scratch = new Scratch()) {
                return use.in(scratch);
            }
        };
    }
}

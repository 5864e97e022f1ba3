package tacho.nativekit.driver.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tacho.nativekit.driver.UsageException;

/**
 * A hidden folder beside the image's place. The builder writes into {@link #output}; what it made
 * is moved out when it ended well. The folder's name holds the process that made it, so that a
 * later build removes what a killed one left.
 */
public final class Workplace implements AutoCloseable {

    private final Path target;
    private final String imageName;
    private final Path folder;
    private final Path output;

    private Workplace(Path target, String imageName, Path folder) throws IOException {
        this.target = target;
        this.imageName = imageName;
        this.folder = folder;
        this.output = Files.createDirectories(folder.resolve("image"));
    }

    public static Workplace in(Path target, String imageName) {
        if (!Files.isDirectory(target)) {
            throw new UsageException("The folder " + target + " for the image does not exist. Make it first: mkdir -p " + target);
        }
        String prefix = "." + imageName + ".building-";
        try {
            removeAbandoned(target, prefix);
            return new Workplace(target, imageName, target.resolve(prefix + ProcessHandle.current().pid()));
        } catch (IOException denied) {
            throw new UsageException("Nothing can be written into " + target + ": " + denied.getMessage());
        }
    }

    public Path folder() {
        return folder;
    }

    /** Where the builder writes. */
    public Path output() {
        return output;
    }

    public Path target() {
        return target;
    }

    /** A text in which the builder names its folder, with the name that things have in the end. */
    public String withFinalPaths(String text) {
        return text.replace(output.toString(), target.toString());
    }

    /**
     * Moves all that was built to its place, replacing what is there; the image comes last, so that
     * it is never without what belongs to it.
     */
    public List<Path> moveOut() throws IOException {
        List<Path> moved = new ArrayList<>();
        try (Stream<Path> files = Files.walk(output)) {
            for (Path file : files.filter(Files::isRegularFile).sorted(Comparator.comparing(this::isImage).thenComparing(Comparator.naturalOrder())).toList()) {
                Path destination = target.resolve(output.relativize(file).toString());
                Files.createDirectories(destination.getParent());
                if (file.toString().endsWith(".json")) {
                    Files.writeString(file, withFinalPaths(Files.readString(file)));
                }
                move(file, destination);
                moved.add(destination);
            }
        }
        return moved;
    }

    private boolean isImage(Path file) {
        String name = file.getFileName().toString();
        return name.equals(imageName) || name.equals(imageName + ".so");
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException otherDevice) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /**
     * One thread after the other: the hook that runs when the driver is told to end must not come
     * to its end, and the process with it, while the main thread still removes.
     */
    @Override
    public synchronized void close() {
        try {
            remove(folder);
        } catch (IOException | UncheckedIOException stillInUse) {
            // A later build removes it.
        }
    }

    private static void removeAbandoned(Path target, String prefix) throws IOException {
        try (Stream<Path> children = Files.list(target)) {
            for (Path child : children.filter(path -> path.getFileName().toString().startsWith(prefix)).toList()) {
                if (!isAlive(child.getFileName().toString().substring(prefix.length()))) {
                    remove(child);
                }
            }
        }
    }

    private static boolean isAlive(String pid) {
        try {
            return ProcessHandle.of(Long.parseLong(pid)).isPresent();
        } catch (NumberFormatException ofSomebodyElse) {
            return true;
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

package tacho.nativekit.driver.paths;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tacho.nativekit.driver.UsageException;

/**
 * Class paths and module paths as the java launcher reads them: absolute, without what does not
 * exist.
 */
public final class SearchPath {

    private SearchPath() {
    }

    /**
     * The entries of a class path. An entry FOLDER/* stands for the folder's jars; an empty one for
     * the current folder.
     */
    public static List<Path> classPath(String text) {
        List<Path> entries = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator, -1)) {
            if (entry.equals("*") || entry.endsWith("/*")) {
                entries.addAll(jarsOf(Path.of(entry.substring(0, entry.length() - 1))));
            } else {
                entries.add(Path.of(entry));
            }
        }
        return existing(entries);
    }

    /** The entries of a module path. */
    public static List<Path> modulePath(String text) {
        return existing(Stream.of(text.split(File.pathSeparator)).filter(entry -> !entry.isEmpty()).map(Path::of)
                .toList());
    }

    /**
     * The jars and folders in which a module path's modules are: an entry may be a module, or a
     * folder of modules.
     */
    public static List<Path> modulesOf(List<Path> modulePath) {
        List<Path> modules = new ArrayList<>();
        for (Path entry : modulePath) {
            if (Files.isDirectory(entry) && !Files.exists(entry.resolve("module-info.class"))) {
                modules.addAll(childrenOf(entry));
            } else {
                modules.add(entry);
            }
        }
        return modules;
    }

    /** The entries in the form that {@link #classPath} reads. */
    public static String text(List<Path> entries) {
        return String.join(File.pathSeparator, entries.stream().map(Path::toString).toList());
    }

    static List<Path> existing(List<Path> entries) {
        Set<Path> existing = new LinkedHashSet<>();
        for (Path entry : entries) {
            Path absolute = entry.toAbsolutePath().normalize();
            if (Files.exists(absolute)) {
                existing.add(absolute);
            }
        }
        return List.copyOf(existing);
    }

    private static List<Path> jarsOf(Path folder) {
        return childrenOf(folder).stream().filter(path -> path.toString().toLowerCase().endsWith(".jar")).toList();
    }

    private static List<Path> childrenOf(Path folder) {
        Path absolute = folder.toAbsolutePath();
        if (!Files.isDirectory(absolute)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(absolute)) {
            return children.sorted().toList();
        } catch (IOException unreadable) {
            throw new UsageException("The folder " + folder + " cannot be read: " + unreadable.getMessage());
        }
    }
}

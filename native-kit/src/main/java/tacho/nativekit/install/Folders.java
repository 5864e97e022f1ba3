package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.stream.Stream;

/** Whole folders: copied and removed. */
final class Folders {

    private Folders() {
    }

    /** Copies the files of a folder. */
    static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /**
     * Copies a folder, by hard links where the file system and its rules allow it, but for what is
     * to be a copy. Symbolic links stay what they are.
     */
    static void linkOrCopy(Path from, Path to, Set<Path> without, Set<Path> copied) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (without.contains(from.relativize(folder))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path relative = from.relativize(file);
                if (!without.contains(relative)) {
                    boolean isLinked = copied.stream().noneMatch(relative::startsWith);
                    linkOrCopyFile(file, to.resolve(relative), attributes, isLinked);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void linkOrCopyFile(Path from, Path to, BasicFileAttributes attributes, boolean isLinked) throws IOException {
        if (attributes.isSymbolicLink()) {
            Files.createSymbolicLink(to, Files.readSymbolicLink(from));
            return;
        }
        try {
            if (isLinked) {
                Files.createLink(to, from);
                return;
            }
        } catch (IOException | UnsupportedOperationException otherDeviceOrOwner) {
            // Copied, then.
        }
        Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static Path existingAncestor(Path path) {
        Path ancestor = path;
        while (!Files.exists(ancestor)) {
            ancestor = ancestor.getParent();
        }
        return ancestor;
    }
}

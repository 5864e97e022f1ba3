package dev.tacho.agent;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The folder of a session: {@code request-N.json} comes in, {@code reply-N.jsonl} goes out, nothing
 * else is ever written. Only its owner may have access to it. The Tacho that made the folder holds
 * a lock on {@code lease}; the kernel releases the lock when that Tacho ends, however it ends.
 */
final class Folder {
    private static final long LARGEST_REQUEST = 8 << 20;

    private final Path path;
    private FileChannel lease;
    /** The lock on the lease, once Tacho no longer holds it: then we have to remove the folder. */
    private FileLock left;

    private Folder(Path path) {
        this.path = path;
    }

    /** Throws when others could write into it, or read it. */
    static Folder trusted(Path path) throws IOException {
        if (!path.isAbsolute() || !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException(path + " is no folder by its whole path");
        }
        Path real = path.toRealPath(LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(real, LinkOption.NOFOLLOW_LINKS);
        if (!EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE).equals(rights)) {
            throw new IllegalArgumentException(path + " has to be of mode 0700");
        }
        Object owner = Files.getAttribute(real, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        // The folder of this process in /proc belongs to its effective user (proc(5)). The files in
        // it are root's where the program has capabilities.
        Object own = Files.getAttribute(Paths.get("/proc/self"), "unix:uid");
        if (!owner.equals(own)) {
            throw new IllegalArgumentException(path + " belongs to user " + owner + " and this JVM runs as user " + own);
        }
        return new Folder(real);
    }

    /**
     * The text of a request that has come, else null. It is renamed to its name when it is whole.
     */
    String request(int number) {
        Path file = path.resolve("request-" + number + ".json");
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LARGEST_REQUEST) {
                return null;
            }
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }

    void reply(int number, List<Map<String, Object>> lines) throws IOException {
        Path half = path.resolve("reply-" + number + ".half");
        // The stream is a resource of its own: a writer that cannot write its last piece does not
        // close the stream below it (JDK 17).
        try (OutputStream file = Files.newOutputStream(half, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                Writer out = new BufferedWriter(new OutputStreamWriter(file, StandardCharsets.UTF_8))) {
            for (Map<String, Object> line : lines) {
                out.write(Json.write(line));
                out.write('\n');
            }
        } catch (IOException e) {
            // Deleting it may free enough disk space for the error message.
            Files.deleteIfExists(half);
            throw new IllegalStateException("its answer cannot be written into " + path + " (" + e.getMessage() + "); is there room, and may the JVM write there?", e);
        }
        Files.move(half, path.resolve("reply-" + number + ".jsonl"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The folder is gone, or nobody holds its lease any more. */
    boolean isAbandoned() {
        try {
            if (lease == null) {
                lease = FileChannel.open(path.resolve("lease"), StandardOpenOption.WRITE);
            }
            FileLock lock = lease.tryLock();
            if (lock == null) {
                return !Files.exists(path.resolve("lease"));
            }
            left = lock;
            return true;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * Removes the folder if the Tacho that made it is gone: first the regular files in it, then the
     * folder itself. Anything else in it is not ours, and links are not followed: then the folder
     * stays.
     */
    void removeIfLeft() {
        if (left == null) {
            return;
        }
        try {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                        Files.deleteIfExists(entry);
                    }
                }
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // The next Tacho that looks into this JVM tries it again.
        }
    }

    void close() {
        try {
            if (lease != null) {
                lease.close();
            }
        } catch (IOException e) {
            // It goes with the process.
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

package tacho.checks.topics;

import java.io.File;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Files and folders. */
final class PlainFiles implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("files.written and read", "grüße, 8 bytes", Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("a"), "grüße\n");
            return Files.readString(file).strip() + ", " + Files.size(file) + " bytes";
        }));
        checks.check("files.appended", List.of("one", "two"), Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("a"), "one\n");
            Files.writeString(file, "two\n", StandardOpenOption.APPEND);
            return Files.readAllLines(file);
        }));
        checks.check("files.copied and moved", "false true x", Scratch.with(PlainFiles::copyAndMove));
        checks.check("files.walked", "[, a, a/b, a/b/c.txt, a/d.txt]", Scratch.with(PlainFiles::walk));
        checks.check("files.globbed", "[x.txt, y.txt]", Scratch.with(PlainFiles::glob));
        checks.check("files.links", "symbolic true to target, hard true", Scratch.with(PlainFiles::links));
        checks.check("files.permissions", "rw-r-----", Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        }));
        checks.check("files.mode of a program", "755", Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            return Integer.toOctalString((int) Files.getAttribute(file, "unix:mode") & 0777);
        }));
        checks.alike("files.owner", Scratch.with(scratch -> Files.getOwner(scratch.folder())));
        checks.check("files.time of change", "2020-02-29T12:00:00.123456Z", Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2020-02-29T12:00:00.123456Z")));
            return Files.getLastModifiedTime(file);
        }));
        checks.check("files.missing", "NoSuchFileException nowhere", Scratch.with(scratch -> {
            try {
                return Files.readString(scratch.path("nowhere"));
            } catch (NoSuchFileException e) {
                return "NoSuchFileException " + Path.of(e.getFile()).getFileName();
            }
        }));
        checks.check("files.random access", "ab?def 6", Scratch.with(scratch -> {
            try (RandomAccessFile file = new RandomAccessFile(scratch.path("a").toFile(), "rw")) {
                file.writeBytes("abcdef");
                file.seek(2);
                file.write('?');
                file.seek(0);
                return file.readLine() + " " + file.length();
            }
        }));
        checks.check("files.java.io.File", "[b] true true false", Scratch.with(scratch -> {
            File folder = scratch.path("a").toFile();
            boolean made = new File(folder, "b").mkdirs();
            return Arrays.toString(folder.list()) + " " + made + " " + folder.isDirectory() + " " + folder.isHidden();
        }));
        checks.check(
                "files.temporary, without a name as soon as it is open",
                "written, false then false",
                Scratch.with(scratch -> {
                    Path file = Files.createTempFile(scratch.folder(), "x", ".tmp");
                    boolean there;
                    try (var out = Files.newOutputStream(file, StandardOpenOption.DELETE_ON_CLOSE)) {
                        out.write(1);
                        there = Files.exists(file);
                    }
                    return "written, " + there + " then " + Files.exists(file, LinkOption.NOFOLLOW_LINKS);
                }));
        checks.check("files.watched", "ENTRY_CREATE new", Scratch.with(PlainFiles::watch));
        checks.check(
                "files.store",
                true,
                Scratch.with(scratch -> Files.getFileStore(scratch.folder()).getTotalSpace() > 0));
    }

    private static String copyAndMove(Scratch scratch) throws Exception {
        Path a = Files.writeString(scratch.path("a"), "x");
        Path b = Files.copy(a, scratch.path("b"), StandardCopyOption.COPY_ATTRIBUTES);
        Path c = Files.move(b, scratch.path("c"), StandardCopyOption.ATOMIC_MOVE);
        return Files.exists(b) + " " + Files.exists(a) + " " + Files.readString(c);
    }

    private static List<String> walk(Scratch scratch) throws Exception {
        Files.createDirectories(scratch.path("a/b"));
        Files.createFile(scratch.path("a/b/c.txt"));
        Files.createFile(scratch.path("a/d.txt"));
        try (Stream<Path> all = Files.walk(scratch.folder())) {
            return all.map(path -> scratch.folder().relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    private static List<String> glob(Scratch scratch) throws Exception {
        for (String name : List.of("y.txt", "x.txt", "z.log")) {
            Files.createFile(scratch.path(name));
        }
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> matching = Files.newDirectoryStream(scratch.folder(), "*.{txt,md}")) {
            matching.forEach(path -> found.add(path.getFileName().toString()));
        }
        found.sort(null);
        return found;
    }

    private static String links(Scratch scratch) throws Exception {
        Path target = Files.createFile(scratch.path("target"));
        Path symbolic = Files.createSymbolicLink(scratch.path("symbolic"), Path.of("target"));
        Path hard = Files.createLink(scratch.path("hard"), target);
        return "symbolic " + Files.isSymbolicLink(symbolic) + " to " + Files.readSymbolicLink(symbolic) + ", hard "
                + Files.isSameFile(hard, target);
    }

    private static String watch(Scratch scratch) throws Exception {
        try (WatchService watcher = scratch.folder().getFileSystem().newWatchService()) {
            scratch.folder().register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
            Files.createFile(scratch.path("new"));
            WatchKey key = watcher.poll(120, TimeUnit.SECONDS);
            var event = key.pollEvents().getFirst();
            return event.kind() + " " + event.context();
        }
    }
}

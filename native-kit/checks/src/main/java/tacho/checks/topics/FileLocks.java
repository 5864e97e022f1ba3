package tacho.checks.topics;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Self;
import tacho.checks.Topic;

/** Locks on files, seen from this process and from another. */
final class FileLocks implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("locks.seen by another process", "taken, then free", Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            String during;
            try (FileChannel channel = open(file);
                    FileLock _ = channel.lock()) {
                during = Self.output("try-lock", file.toString());
            }
            return during + ", then " + Self.output("try-lock", file.toString());
        }));
        checks.check("locks.of a region", "taken beside free", Scratch.with(scratch -> {
            Path file = Files.write(scratch.path("a"), new byte[100]);
            try (FileChannel channel = open(file);
                    FileLock _ = channel.lock(10, 10, false)) {
                return Self.output("try-lock", file.toString(), "15") + " beside "
                        + Self.output("try-lock", file.toString(), "20");
            }
        }));
        checks.check("locks.overlapping here", "OverlappingFileLockException", Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            try (FileChannel one = open(file);
                    FileChannel other = open(file);
                    FileLock _ = one.lock()) {
                return other.tryLock();
            } catch (OverlappingFileLockException e) {
                return e.getClass().getSimpleName();
            }
        }));
        checks.check("locks.shared", true, Scratch.with(scratch -> {
            Path file = Files.createFile(scratch.path("a"));
            try (FileChannel channel = FileChannel.open(file);
                    FileLock lock = channel.lock(0, Long.MAX_VALUE, true)) {
                return lock.isShared();
            }
        }));
    }

    private static FileChannel open(Path file) throws Exception {
        return FileChannel.open(file, StandardOpenOption.WRITE);
    }
}

package tacho.checks.modes;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Files as another process sees them. */
final class Files {

    private Files() {}

    /** Whether a lock of the file, from a position on if one is given, is to be had. */
    static void tryLock(List<String> arguments) throws IOException {
        long from = arguments.size() > 1 ? Long.parseLong(arguments.get(1)) : 0;
        try (FileChannel channel = FileChannel.open(Path.of(arguments.get(0)), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock(from, 1, false)) {
            System.out.println(lock == null ? "taken" : "free");
        }
    }

    /** Opens this many files at once. */
    static void open(List<String> arguments) {
        List<FileInputStream> opened = new ArrayList<>();
        int wanted = Integer.parseInt(arguments.getFirst());
        try {
            while (opened.size() < wanted) {
                opened.add(new FileInputStream("/dev/null"));
            }
            System.out.println("opened " + opened.size());
        } catch (IOException e) {
            System.out.println("not opened " + wanted + ": " + e.getMessage());
        }
    }
}

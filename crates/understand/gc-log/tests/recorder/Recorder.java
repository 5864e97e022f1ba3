import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Allocates so much that every collector has work, and then says what the JVM itself has counted:
 * the truth that the reader of the same launch's log is held to.
 *
 * <pre>java -Xmx64m -Xlog:gc*:file=logs/gc.log Recorder.java 600 logs</pre>
 *
 * The arguments are the megabytes to allocate and the folder of the logs. Beside short-lived
 * garbage there is a live set that is replaced all the time (so that objects grow old and then
 * die), and now and then an array larger than half a region of G1.
 *
 * <p>Concurrent collectors begin cycles whenever they like. So the counts are read in a moment in
 * which nothing is written to the logs, and the sizes of the logs in that moment are told: up to
 * there, log and counts must agree.
 *
 * <p>With {@code -Dtalks=true} it writes lines of its own to its standard output, between those of
 * a log that goes there.
 */
public final class Recorder {
    private static final int LIVE = 2_000;
    private static final int SMALL = 8 * 1024;
    private static final int HUMONGOUS = 700 * 1024;
    /**
     * Much longer than from the line in one log to that in the next: a thread of the collector that
     * is put aside between the two seems to be quiet.
     */
    private static final long QUIET_MILLIS = 500;

    private static final boolean TALKS = Boolean.getBoolean("talks");

    /** Written to, so that no allocation is optimised away. */
    private static volatile byte[] last;

    private Recorder() {
    }

    public static void main(String[] arguments) throws Exception {
        Path logs = Path.of(arguments[1]);
        try (Recording recording = new Recording()) {
            recording.enable("jdk.GarbageCollection");
            recording.start();
            allocate(Long.parseLong(arguments[0]) << 20);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            System.out.println("allocated;" + threads.getThreadAllocatedBytes(Thread.currentThread().getId()));
            // Ends whatever cycle is under way.
            System.gc();
            tellCounts(logs);
            recording.stop();
            tellRecording(recording);
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void allocate(long bytes) {
        byte[][] live = new byte[LIVE][];
        long allocated = 0;
        for (int i = 0; allocated < bytes; i++) {
            int size = i % 1_000 == 999 ? HUMONGOUS : SMALL;
            byte[] array = new byte[size];
            allocated += size;
            if (i % 4 == 0) {
                live[(i / 4) % LIVE] = array;
            }
            last = array;
            if (TALKS && i % 500 == 0) {
                System.out.println("order " + i + " was shipped [GC] (it took 3.2ms, 12M of 64M)");
            }
        }
    }

    private static void tellCounts(Path logs) throws Exception {
        List<String> before;
        List<String> counts;
        do {
            before = sizes(logs);
            keepRotated(logs);
            Thread.sleep(QUIET_MILLIS);
            counts = counts();
        } while (!sizes(logs).equals(before));
        before.forEach(System.out::println);
        counts.forEach(System.out::println);
        System.out.println("max-heap;" + Runtime.getRuntime().maxMemory());
    }

    /** A file of a rotation may be renamed later. */
    private static void keepRotated(Path logs) throws IOException {
        Path kept = Files.createDirectories(logs.resolve("at-rest"));
        try (Stream<Path> files = Files.list(kept)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.getFileName().toString().startsWith("rotated.log")) {
                    try {
                        Files.copy(file, kept.resolve(file.getFileName()));
                    } catch (NoSuchFileException rotated) {
                        // Renamed since it was listed: then sizes differ, and all is copied again.
                        continue;
                    }
                }
            }
        }
    }

    private static List<String> counts() {
        List<String> counts = new ArrayList<>();
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            counts.add("collector;" + bean.getName() + ";" + bean.getCollectionCount() + ";" + bean.getCollectionTime());
        }
        return counts;
    }

    /** In bytes; of a file that is just being rotated a text that never comes again. */
    private static String size(Path file) throws IOException {
        try {
            return Long.toString(Files.size(file));
        } catch (NoSuchFileException rotated) {
            return "rotated at " + System.nanoTime();
        }
    }

    private static List<String> sizes(Path logs) throws IOException {
        List<String> sizes = new ArrayList<>();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                if (file.toString().contains(".log")) {
                    sizes.add("log;" + file.getFileName() + ";" + size(file));
                }
            }
        }
        return sizes;
    }

    private static void tellRecording(Recording recording) throws IOException {
        Path file = Files.createTempFile("recorder", ".jfr");
        try {
            recording.dump(file);
            for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
                System.out.println("jfr;" + event.getLong("gcId") + ";" + event.getString("name") + ";"
                        + event.getString("cause") + ";" + event.getDuration("sumOfPauses").toNanos() + ";"
                        + event.getDuration("longestPause").toNanos());
            }
        } finally {
            Files.delete(file);
        }
    }
}

package tacho.labs.strings;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/**
 * Hands lines over to one thread, which formats them and writes many at once. No line is lost:
 * whoever logs waits while the queue is full.
 */
final class AsyncHandler extends Handler {

    private static final int LINES = 8192;
    /** What the thread ends at. */
    private static final LogRecord END = new LogRecord(Level.OFF, "");

    private final BlockingQueue<LogRecord> queue = new ArrayBlockingQueue<>(LINES);
    private final StreamHandler target =
            new StreamHandler(new FileOutputStream(FileDescriptor.err), new SimpleFormatter());
    private final Thread writer = new Thread(this::write, "log-writer");

    AsyncHandler() {
        writer.setDaemon(true);
        writer.start();
    }

    @Override
    public void publish(LogRecord line) {
        put(line);
    }

    /** Flushes when nobody has more to write, so that a line never waits for the next one. */
    private void write() {
        try {
            for (LogRecord line = queue.take(); line != END; line = queue.take()) {
                target.publish(line);
                if (queue.isEmpty()) {
                    target.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        target.flush();
    }

    private void put(LogRecord line) {
        try {
            queue.put(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The thread does it as soon as it can. */
    @Override
    public void flush() {
    }

    /** The JVM calls it when it ends; what was logged until then is written first. */
    @Override
    public void close() {
        put(END);
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

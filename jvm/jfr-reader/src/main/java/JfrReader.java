import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordedThreadGroup;
import jdk.jfr.consumer.RecordingFile;

/**
 * Writes a flight recording as JSON lines, one event a line, for programs that are not Java.
 *
 * <pre>java JfrReader.java recording.jfr --frames 8 jdk.GarbageCollection jdk.CPULoad</pre>
 *
 * Run as a source file (JEP 330) by the JDK whose recording it is, so that the format is always the
 * one that this JDK knows. It holds no list of events: their fields are described in the recording
 * itself. Without names every event is written.
 *
 * <pre>
 * {"event":"jdk.GarbageCollection","fields":{"startTime":1763815201123456789,"duration":812000,"gcId":3,"name":"G1New",...}}
 * {"end":{"events":1234}}
 * </pre>
 *
 * Instants are nanoseconds since 1970, spans are nanoseconds, classes and methods are their names,
 * a stack trace is a list of {@code class.method:line}, innermost first, cut at {@code --frames}.
 * What has no value is null. The last line tells a whole stream from one that was cut off. A file
 * named by {@code --to} is compressed (gzip): stacks repeat, and would take gigabytes as text.
 */
public final class JfrReader {
    private static final String USAGE = "usage: java JfrReader.java RECORDING [--frames N] [--to FILE.gz] [EVENT...]";

    private final Writer out;
    private final int mostFrames;
    private long events;

    private JfrReader(Writer out, int mostFrames) {
        this.out = out;
        this.mostFrames = mostFrames;
    }

    public static void main(String[] arguments) throws Exception {
        Path recording = null;
        Path to = null;
        int frames = 64;
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--frames") && i + 1 < arguments.length) {
                frames = Integer.parseInt(arguments[++i]);
            } else if (arguments[i].equals("--to") && i + 1 < arguments.length) {
                to = Path.of(arguments[++i]);
            } else if (recording == null) {
                recording = Path.of(arguments[i]);
            } else {
                names.add(arguments[i]);
            }
        }
        if (recording == null) {
            System.err.println(USAGE);
            System.exit(2);
        }
        try (OutputStream bytes = to == null ? System.out : new Compressed(Files.newOutputStream(to));
                Writer out = new BufferedWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8), 1 << 16)) {
            new JfrReader(out, frames).read(recording, names);
        } catch (IOException | RuntimeException error) {
            // The JDK's own parser stumbles over a damaged file with whatever exception comes
            // first.
            System.err.println(recording + " cannot be read, it may be damaged or cut off: " + error);
            System.exit(1);
        }
    }

    /** With the least effort, which is enough for text that repeats. */
    private static final class Compressed extends GZIPOutputStream {
        Compressed(OutputStream out) throws IOException {
            super(out, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private void read(Path recording, List<String> names) throws IOException {
        // An EventStream would take any other file for a recording without events; this throws.
        new RecordingFile(recording).close();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        try (EventStream stream = EventStream.openFile(recording)) {
            // An event is written at once, so its object may serve for the next.
            stream.setReuse(true);
            stream.onError(error -> failure.compareAndSet(null, error));
            if (names.isEmpty()) {
                stream.onEvent(this::write);
            }
            for (String name : names) {
                stream.onEvent(name, this::write);
            }
            stream.start();
        }
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
        out.write("{\"end\":{\"events\":" + events + "}}\n");
    }

    private void write(RecordedEvent event) {
        StringBuilder line = new StringBuilder(256);
        line.append("{\"event\":");
        string(line, event.getEventType().getName());
        line.append(",\"fields\":");
        object(line, event);
        line.append("}\n");
        try {
            out.write(line.toString());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
        events++;
    }

    private void object(StringBuilder json, RecordedObject object) {
        json.append('{');
        String separator = "";
        for (ValueDescriptor field : object.getFields()) {
            json.append(separator);
            separator = ",";
            string(json, field.getName());
            json.append(':');
            if (field.getAnnotation(Timestamp.class) != null && !field.isArray()) {
                instant(json, object.getInstant(field.getName()));
            } else if (field.getAnnotation(Timespan.class) != null && !field.isArray()) {
                span(json, object.getDuration(field.getName()));
            } else {
                value(json, object.getValue(field.getName()));
            }
        }
        json.append('}');
    }

    private void value(StringBuilder json, Object value) {
        if (value instanceof RecordedClass) {
            string(json, ((RecordedClass) value).getName());
        } else if (value instanceof RecordedMethod) {
            string(json, method((RecordedMethod) value));
        } else if (value instanceof RecordedThread) {
            thread(json, (RecordedThread) value);
        } else if (value instanceof RecordedStackTrace) {
            stack(json, (RecordedStackTrace) value);
        } else if (value instanceof RecordedThreadGroup) {
            string(json, ((RecordedThreadGroup) value).getName());
        } else if (value instanceof RecordedClassLoader) {
            string(json, ((RecordedClassLoader) value).getName());
        } else if (value instanceof RecordedObject) {
            object(json, (RecordedObject) value);
        } else if (value instanceof Object[]) {
            list(json, (Object[]) value);
        } else if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            json.append(Double.isFinite(number) ? Double.toString(number) : "null");
        } else if (value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            string(json, value == null ? null : value.toString());
        }
    }

    private void list(StringBuilder json, Object[] values) {
        json.append('[');
        for (int i = 0; i < values.length; i++) {
            json.append(i == 0 ? "" : ",");
            value(json, values[i]);
        }
        json.append(']');
    }

    private void stack(StringBuilder json, RecordedStackTrace stack) {
        json.append('[');
        int written = 0;
        for (RecordedFrame frame : stack.getFrames()) {
            if (written == mostFrames) {
                break;
            }
            if (frame.isJavaFrame()) {
                json.append(written++ == 0 ? "" : ",");
                string(json, method(frame.getMethod()) + ":" + frame.getLineNumber());
            }
        }
        json.append(']');
    }

    private static String method(RecordedMethod method) {
        return method.getType().getName() + "." + method.getName();
    }

    private static void thread(StringBuilder json, RecordedThread thread) {
        string(json, thread.getJavaName() != null ? thread.getJavaName() : thread.getOSName());
    }

    /** The least instant stands for none. */
    private static void instant(StringBuilder json, Instant instant) {
        if (instant == null || instant.equals(Instant.MIN)) {
            json.append("null");
        } else {
            json.append(Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano()));
        }
    }

    /** The JDK's least span means that there is no value, its greatest that there is no end. */
    private static void span(StringBuilder json, Duration span) {
        try {
            long nanos = span.toNanos();
            boolean known = nanos != Long.MIN_VALUE && nanos != Long.MAX_VALUE;
            json.append(known ? Long.toString(nanos) : "null");
        } catch (ArithmeticException beyond) {
            json.append("null");
        }
    }

    private static void string(StringBuilder json, String text) {
        if (text == null) {
            json.append("null");
            return;
        }
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }
}

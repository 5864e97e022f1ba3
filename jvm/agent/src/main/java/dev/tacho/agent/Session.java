package dev.tacho.agent;

import dev.tacho.table.TachoTable;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Answers requests until one of them ends it, or until the Tacho that began it is gone; then
 * everything is as it was.
 */
public final class Session implements Runnable {
    private static final long LOOK_MS = 20;
    private static final long LOOK_AFTER_LEASE_NS = 500_000_000L;
    private static final long PROTOCOL = 1;

    private final Folder folder;
    private final AutoCloseable loader;
    private final String name;
    /** Kinds of instruments that have been tried on a class of the agent's own. */
    private final Set<String> warm = new HashSet<>();
    /** The first reply could not be written, so Tacho does not know that this session exists. */
    private volatile boolean unheard;
    private final Insertion inside;

    private Session(Instrumentation instrumentation, Folder folder, AutoCloseable loader) {
        this.inside = new Insertion(instrumentation);
        this.folder = folder;
        this.loader = loader;
        this.name = folder.toString();
    }

    /**
     * Called by the entry, on the JVM's own thread for attaching; answers as request 0. The entry
     * may be an earlier version's, so these parameters stay what they are.
     */
    public static void begin(String path, Instrumentation instrumentation, AutoCloseable loader) throws Exception {
        Folder folder = Folder.trusted(Path.class.cast(java.nio.file.Paths.get(path)));
        Session session = new Session(instrumentation, folder, loader);
        boolean claimed = false;
        try {
            Boot.define(instrumentation);
            String other = TachoTable.claim(session.name);
            if (other != null) {
                throw new IllegalStateException("another Tacho has its instruments in this JVM (its folder is " + other + "); end it first");
            }
            claimed = true;
            Thread thread = new Thread(session, "tacho-agent");
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
        } catch (Exception | Error e) {
            // There may be no thread to be had, and then none that would release it.
            if (claimed) {
                TachoTable.release(session.name);
            }
            folder.reply(0, Collections.singletonList(error(e)));
            loader.close();
            return;
        }
        Map<String, Object> hello = ok();
        hello.put("protocol", PROTOCOL);
        hello.put("java", System.getProperty("java.version"));
        try {
            folder.reply(0, Collections.singletonList(hello));
        } catch (Exception | Error e) {
            session.unheard = true;
            throw e;
        }
    }

    private static Map<String, Object> ok() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "ok");
        return line;
    }

    private static Map<String, Object> error(Throwable e) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "error");
        // What a request lacks is said in a sentence; anything else by its name as well.
        boolean said = e.getMessage() != null && (e instanceof IllegalArgumentException || e instanceof IllegalStateException);
        line.put("error", said ? e.getMessage() : e.toString());
        return line;
    }

    @Override
    public void run() {
        TachoTable.ignoreThisThread();
        try {
            serve();
        } catch (InterruptedException | RuntimeException | Error e) {
            // Nobody is there whom it could be told.
        } finally {
            close();
        }
    }

    private void serve() throws InterruptedException {
        long lookedAfterLease = System.nanoTime();
        for (int number = 1; !unheard; ) {
            String request = folder.request(number);
            if (request != null) {
                boolean goesOn = answer(number++, request);
                if (!goesOn) {
                    return;
                }
                continue;
            }
            inside.lookAgain();
            if (System.nanoTime() - lookedAfterLease > LOOK_AFTER_LEASE_NS) {
                if (folder.isAbandoned()) {
                    return;
                }
                lookedAfterLease = System.nanoTime();
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** False when it was the last one. */
    private boolean answer(int number, String text) {
        boolean last = false;
        List<Map<String, Object>> lines;
        try {
            Request request = Request.parse(text);
            String command = request.text("command");
            last = command.equals("end");
            lines = carryOut(command, request);
            if (last) {
                // Released before the reply is written: its reader may begin the next session at
                // once.
                TachoTable.release(name);
                TachoTable.ignoreThisThread();
            }
        } catch (Exception | Error e) {
            lines = Collections.singletonList(error(e));
        }
        try {
            try {
                folder.reply(number, lines);
            } catch (IllegalStateException noRoom) {
                folder.reply(number, Collections.singletonList(error(noRoom)));
            }
            return !last;
        } catch (IOException | RuntimeException e) {
            // Without its folder nobody hears it.
            return false;
        }
    }

    private List<Map<String, Object>> carryOut(String command, Request request) throws Exception {
        switch (command) {
            case "begin":
                return Collections.singletonList(begin(command, new ProbeInstrument(request)));
            case "trace":
                return Collections.singletonList(begin(command, new TraceInstrument(request)));
            case "watch":
                return Collections.singletonList(begin(command, new WatchInstrument(request)));
            case "reset":
                inside.instrument().config().reset();
                return Collections.singletonList(ok());
            case "snapshot":
                return snapshot();
            case "classes":
                return Collections.singletonList(inside.classes());
            case "end":
                Map<String, Object> removed = inside.remove();
                removed.put("kind", "removed");
                return Collections.singletonList(removed);
            default:
                throw new IllegalArgumentException("there is no command " + command);
        }
    }

    /** Removes the instrument that is in, if any, and puts in the next one. */
    private Map<String, Object> begin(String command, Instrument next) throws Exception {
        Map<String, Object> before = inside.remove();
        warmUp(command);
        Map<String, Object> begun = inside.put(next);
        begun.put("kind", "begun");
        begun.put("removed", before);
        return begun;
    }

    private void warmUp(String command) throws Exception {
        if (warm.isEmpty()) {
            Preload.run();
        }
        if (warm.contains(command)) {
            return;
        }
        switch (command) {
            case "trace":
                WarmUp.tracing();
                break;
            case "watch":
                WarmUp.watching();
                break;
            default:
                WarmUp.counting();
        }
        warm.add(command);
    }

    private List<Map<String, Object>> snapshot() {
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("kind", "snapshot");
        head.put("elapsed_ns", inside.instrument().config().elapsed());
        List<Map<String, Object>> lines = inside.instrument().snapshot();
        lines.add(0, head);
        return lines;
    }

    private void close() {
        try {
            inside.remove();
        } catch (InterruptedException | RuntimeException | Error e) {
            // The table is off all the same.
        }
        TachoTable.release(name);
        try {
            folder.removeIfLeft();
        } catch (RuntimeException | Error e) {
            // As above.
        }
        folder.close();
        try {
            loader.close();
        } catch (Exception e) {
            // A jar that does not close is closed when its loader goes.
        }
    }
}

package dev.tacho.agent;

import dev.tacho.table.TachoTable;

/**
 * Tries an instrument on a class of the agent, from the transformer to the snapshot, before it goes
 * into classes of the application. This loads, initialises and links everything that the instrument
 * needs. If it does not work, no class of the application has been changed yet.
 */
final class WarmUp {
    private static final String EVERYTHING = "\"class\":\"*\",\"subtypes\":true,\"methods\":[\"*\"]";
    private static final String PROBE = "{" + EVERYTHING + ",\"id\":";
    private static final byte[] NO_CLASS = {1, 2, 3};

    private WarmUp() {
    }

    static void counting() throws Exception {
        // Of each kind one that the others do not reach.
        run(new ProbeInstrument(Request.parse("{\"owners\":[\"dev.tacho.\"],\"probes\":["
                + PROBE + "\"all\",\"keys\":[{\"argument\":1},\"result-class\",\"receiver-class\",\"receiver-loader\",\"method\",{\"argument\":2}]},"
                + PROBE + "\"outermost\",\"keys\":[{\"argument\":1}],\"outermost\":true}]}")));
        run(new ProbeInstrument(Request.parse("{\"owners\":[],\"probes\":["
                + "{\"class\":\"*Shapes\",\"methods\":[\"handOver\"],\"id\":\"handed\",\"keys\":[],\"hands\":1,\"of-type\":\"java.lang.Runnable\"},"
                + "{\"class\":\"*Shapes\",\"methods\":[\"take\"],\"id\":\"taken\",\"keys\":[],\"takes\":1}]}")));
    }

    static void tracing() throws Exception {
        String patterns = "\"roots\":[{\"class\":\"*Shapes\",\"methods\":[\"run\"]}],\"inner\":[{" + EVERYTHING + "}]";
        run(new TraceInstrument(Request.parse("{" + patterns + "}")));
        run(new TraceInstrument(Request.parse("{" + patterns + ",\"calls\":1}")));
    }

    static void watching() throws Exception {
        run(new WatchInstrument(Request.parse("{" + EVERYTHING + ",\"at-most\":1000,\"depth\":2,\"length\":200,\"owners\":[\"dev.tacho.\"]}")));
    }

    private static void run(Instrument instrument) throws Exception {
        Weaver weaver = new Weaver(null, instrument);
        Own own = new Own(WarmUp.class.getClassLoader());
        byte[] bytes = Boot.bytes(Shapes.class.getName().replace('.', '/') + ".class");
        TachoTable.install(instrument.config());
        try {
            // Every path through the transformer: classes that are never woven, that no pattern
            // names, that cannot be read, and one that is woven.
            weaver.transform(own, "java/lang/Thread", null, null, bytes);
            weaver.transform(own, "java/lang/ThreadLocal$None", null, null, bytes);
            weaver.transform(own, "none/At/All", null, null, NO_CLASS);
            weaver.transform(own, "none/Shapes", null, null, NO_CLASS);
            weaver.weave(own, Shapes.class.getName(), true, bytes);
            byte[] woven = weaver.weave(own, Shapes.class.getName(), false, bytes);
            Runnable shapes = own.define(woven);
            Trial trial = new Trial(shapes);
            // This thread is not observed.
            Thread thread = new Thread(trial, "tacho-agent");
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
            thread.join();
            new Removal(null, weaver.woven()).transform(own, null, shapes.getClass(), null, bytes);
            if (trial.failed != null || instrument.snapshot().isEmpty()) {
                throw new IllegalStateException("it saw nothing", trial.failed);
            }
            TachoTable.warmUp(instrument.config());
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalStateException("the instrument does not work in this JVM, and has not been put in: " + cause, e);
        } finally {
            TachoTable.install(null);
        }
    }

    private static final class Own extends ClassLoader {
        Own(ClassLoader parent) {
            super(parent);
        }

        Runnable define(byte[] bytes) throws ReflectiveOperationException {
            return (Runnable) defineClass(Shapes.class.getName(), bytes, 0, bytes.length).getConstructor().newInstance();
        }
    }

    private static final class Trial implements Runnable {
        private final Runnable shapes;
        private volatile Throwable failed;

        Trial(Runnable shapes) {
            this.shapes = shapes;
        }

        @Override
        public void run() {
            try {
                shapes.run();
            } catch (Throwable e) {
                failed = e;
            }
        }
    }
}

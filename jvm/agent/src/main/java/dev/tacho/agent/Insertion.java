package dev.tacho.agent;

import dev.tacho.table.TachoTable;
import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The one instrument that is in the application's classes. When it cannot be put in wholly, all is
 * put back.
 */
final class Insertion {
    private final Instrumentation instrumentation;
    private Instrument instrument;
    private Weaver weaver;
    /** Classes that have to be put back. */
    private Map<String, Weaver.Woven> woven = Collections.emptyMap();

    Insertion(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** What is in. */
    Instrument instrument() {
        if (instrument == null) {
            throw new IllegalStateException("no instrument is in");
        }
        return instrument;
    }

    /** The names of all loaded classes, except arrays, hidden classes and those of the agent. */
    Map<String, Object> classes() {
        Set<String> names = new LinkedHashSet<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String name = type.getName();
            if (!type.isArray() && name.indexOf('/') < 0 && !Weaver.isOwn(name)) {
                names.add(name);
            }
        }
        Map<String, Object> classes = new LinkedHashMap<>();
        classes.put("kind", "classes");
        classes.put("names", names);
        return classes;
    }

    /** Puts in an instrument. The one before has to be removed already. */
    Map<String, Object> put(Instrument next) throws InterruptedException {
        try {
            instrument = next;
            weaver = new Weaver(instrumentation, next);
            TachoTable.install(next.config());
            weaver.begin();
            next.config().reset();
            return weaver.begun();
        } catch (RuntimeException | Error e) {
            try {
                remove();
            } catch (RuntimeException | Error again) {
                // It is tried once more when the session ends; the table is off.
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    void lookAgain() {
        if (weaver != null) {
            weaver.lookAgain();
            instrument.keepWithin();
        }
    }

    /** Takes out what is in, and tells how that went. */
    Map<String, Object> remove() throws InterruptedException {
        if (weaver != null) {
            TachoTable.install(null);
            woven = weaver.close();
            weaver = null;
            instrument = null;
        }
        Map<String, Object> removed = new Removal(instrumentation, woven).run();
        // Not before: what fails is tried again when the session ends.
        woven = Collections.emptyMap();
        return removed;
    }
}

package dev.tacho.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Restores classes, and checks that they are restored. The JVM makes each class again: its original
 * bytes go through all transformers. The one that weaves is removed by then. This one changes
 * nothing; it only looks at the bytes that are in force afterwards.
 */
final class Removal implements ClassFileTransformer {
    private static final byte[] MARK = ProbeInstrument.TABLE.getBytes(StandardCharsets.US_ASCII);
    private static final int TRIES = 5;
    private static final long BETWEEN_TRIES_MS = 20;

    private final Instrumentation instrumentation;
    private final Map<String, Weaver.Woven> woven;
    private final Map<String, byte[]> seen = new ConcurrentHashMap<>();
    private final Map<String, String> left = new LinkedHashMap<>();

    Removal(Instrumentation instrumentation, Map<String, Weaver.Woven> woven) {
        this.instrumentation = instrumentation;
        this.woven = woven;
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        try {
            if (redefined != null) {
                String key = Weaver.key(redefined.getName(), loader);
                if (woven.containsKey(key)) {
                    seen.put(key, bytes);
                }
            }
        } catch (Throwable e) {
            // There is no memory to keep the bytes: the class is restored once more.
        }
        return null;
    }

    /** Puts everything back and tells how that went. */
    Map<String, Object> run() throws InterruptedException {
        instrumentation.addTransformer(this, true);
        try {
            // A class that was woven while it was loaded is among the loaded ones a moment later.
            for (int i = 0; i < TRIES && seen.size() + left.size() < woven.size(); i++) {
                if (i > 0) {
                    Thread.sleep(BETWEEN_TRIES_MS);
                }
                restore();
            }
        } finally {
            instrumentation.removeTransformer(this);
        }
        return report();
    }

    private void restore() {
        List<Class<?>> classes = new ArrayList<>();
        for (Class<?> type : instrumentation.getAllLoadedClasses()) {
            String key = Weaver.key(type.getName(), type.getClassLoader());
            if (woven.containsKey(key) && !seen.containsKey(key)) {
                classes.add(type);
            }
        }
        if (classes.isEmpty()) {
            return;
        }
        try {
            instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | RuntimeException | Error together) {
            for (Class<?> type : classes) {
                String key = Weaver.key(type.getName(), type.getClassLoader());
                try {
                    instrumentation.retransformClasses(type);
                    left.remove(key);
                } catch (UnmodifiableClassException | RuntimeException | Error e) {
                    seen.remove(key);
                    left.put(key, "the JVM does not put it back: " + e);
                }
            }
        }
    }

    private Map<String, Object> report() {
        int asBefore = 0;
        int unloaded = 0;
        List<Object> carrying = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (Map.Entry<String, Weaver.Woven> entry : woven.entrySet()) {
            Weaver.Woven each = entry.getValue();
            byte[] now = seen.get(entry.getKey());
            String failed = left.get(entry.getKey());
            if (failed != null) {
                carrying.add(reason(each.name, failed));
            } else if (now == null) {
                unloaded++;
            } else if (contains(now, MARK)) {
                carrying.add(reason(each.name, "its code still calls the agent: has another agent kept a copy of it?"));
            } else if (Fingerprint.of(now).equals(each.before)) {
                asBefore++;
            } else {
                changed.add(each.name);
            }
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("classes", woven.size());
        report.put("as_before", asBefore);
        report.put("unloaded", unloaded);
        report.put("left", carrying);
        report.put("changed_by_others", changed);
        return report;
    }

    private static Map<String, Object> reason(String what, String why) {
        Map<String, Object> reason = new LinkedHashMap<>();
        reason.put("what", what);
        reason.put("why", why);
        return Collections.unmodifiableMap(reason);
    }

    private static boolean contains(byte[] bytes, byte[] mark) {
        for (int i = 0; i + mark.length <= bytes.length; i++) {
            int j = 0;
            while (j < mark.length && bytes[i + j] == mark[j]) {
                j++;
            }
            if (j == mark.length) {
                return true;
            }
        }
        return false;
    }
}

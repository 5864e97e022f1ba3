package tacho.checks.modes;

import java.util.Map;
import java.util.TreeMap;

/** All modes by name. */
public final class Modes {

    private static final Map<String, Mode> ALL = new TreeMap<>(Map.ofEntries(
            Map.entry("arguments", Echo::arguments),
            Map.entry("environment", Surroundings::environment),
            Map.entry("limits", Surroundings::limits),
            Map.entry("property", Surroundings::property),
            Map.entry("echo", Echo::lines),
            Map.entry("bytes", Echo::bytes),
            Map.entry("many-lines", Echo::manyLines),
            Map.entry("exit", Ends::exit),
            Map.entry("halt", Ends::halt),
            Map.entry("throw", Ends::thrown),
            Map.entry("throw-in-thread", Ends::thrownInThread),
            Map.entry("linger", Ends::linger),
            Map.entry("out-of-memory", Ends::outOfMemory),
            Map.entry("wait", Signalled::waitForEnd),
            Map.entry("handle", Signalled::handle),
            Map.entry("serve", Signalled::serve),
            Map.entry("open-files", Files::open),
            Map.entry("try-lock", Files::tryLock),
            Map.entry("random", arguments -> System.out.println(new java.util.Random().nextLong()))));

    private Modes() {}

    public static Mode named(String name) {
        Mode mode = ALL.get(name);
        if (mode == null) {
            throw new IllegalArgumentException("no mode " + name + "; there are " + String.join(", ", ALL.keySet()));
        }
        return mode;
    }
}

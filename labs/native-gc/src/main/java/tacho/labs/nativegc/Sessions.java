package tacho.labs.nativegc;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the service remembers: the live set that a collector has to keep and, now and then, to move.
 * Empty until somebody asks for a session.
 */
@ApplicationScoped
public class Sessions {

    private static final int REMEMBERED = 20_000;
    private static final int BYTES = 2_048;

    /** A user's state. */
    public record Session(int user, byte[] state) {
    }

    private final Map<Integer, Session> recent = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Session> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The session of a user, made when it is not remembered (any more). */
    public synchronized Session of(int user) {
        return recent.computeIfAbsent(user, u -> new Session(u, new byte[BYTES]));
    }
}

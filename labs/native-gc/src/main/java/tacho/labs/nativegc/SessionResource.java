package tacho.labs.nativegc;

import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A request that looks something up, remembers it, and makes garbage of some kilobytes on the way:
 * the labs on collectors load it.
 */
@Path("/session")
public class SessionResource {

    private static final int USERS = 40_000;
    private static final int SCRATCH_BYTES = 64 * 1024;

    @Inject
    Sessions sessions;

    @GET
    @Produces(MediaType.TEXT_PLAIN)
    public String session() {
        Sessions.Session session = sessions.of(ThreadLocalRandom.current().nextInt(USERS));
        return "user " + session.user() + ", check " + checksum(session.state());
    }

    /** Works on a copy, as parsers and serializers do. */
    private static int checksum(byte[] state) {
        byte[] scratch = new byte[SCRATCH_BYTES];
        for (int at = 0; at < scratch.length; at += state.length) {
            System.arraycopy(state, 0, scratch, at, state.length);
        }
        return java.util.Arrays.hashCode(scratch);
    }
}

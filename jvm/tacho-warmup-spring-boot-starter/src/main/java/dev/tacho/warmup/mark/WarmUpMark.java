package dev.tacho.warmup.mark;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * The header on every request of the warm-up: its value is a token that this process made for this
 * start and that is void when the warm-up is over.
 *
 * <p>A request from outside that carries the header is refused, not served as ordinary traffic: its
 * sender expects the service to keep the request out of its data, and the service would not.
 */
public final class WarmUpMark {

    /**
     * Attribute of a request (servlet) or exchange (reactive) of the warm-up, with the value
     * {@code true}.
     */
    public static final String ATTRIBUTE = "dev.tacho.warmup";

    private static final int TOKEN_BYTES = 24;

    private final String header;
    private final String token;
    private volatile boolean isVoid;

    /** What a header says. */
    public enum Judgement {
        /** It is not there. */
        NONE,
        /** A request of the warm-up. */
        GENUINE,
        /** Somebody else's, or too late. */
        FORGED
    }

    public WarmUpMark(String header) {
        this.header = header;
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Name of the header. */
    public String header() {
        return header;
    }

    /** Its value; for the sender alone. */
    public String token() {
        return token;
    }

    /** No request carries it rightly from now on. */
    public void makeVoid() {
        isVoid = true;
    }

    /** Judges a request by its values of this header. */
    public Judgement judge(List<String> values) {
        if (values.isEmpty()) {
            return Judgement.NONE;
        }
        boolean isGenuine = !isVoid && values.size() == 1 && isToken(values.get(0));
        return isGenuine ? Judgement.GENUINE : Judgement.FORGED;
    }

    /** Takes as long for a good guess as for a bad one. */
    private boolean isToken(String value) {
        return MessageDigest.isEqual(value.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    /** For people whose request is refused. */
    public String refusal() {
        return "The header " + header + " marks requests of this service's own warm-up. Send the request without it.\n";
    }
}

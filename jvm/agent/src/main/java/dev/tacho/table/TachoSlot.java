package dev.tacho.table;

/** An instrumented method, under the number that its code holds. */
public final class TachoSlot {
    public static final int ARGUMENT = 0;
    public static final int RESULT_CLASS = 1;
    public static final int RECEIVER_CLASS = 2;
    public static final int RECEIVER_LOADER = 3;
    public static final int METHOD = 4;
    public static final int MESSAGE = 5;

    /** Place of its probe in the request. */
    public final int probe;
    /** {@code package.Class.method}. */
    public final String method;
    /** Whether it is a constructor: then the stack begins with whoever makes the object. */
    public final boolean constructor;
    /** Kinds of keys, in the order of the request. */
    public final int[] keys;
    public final boolean outermost;
    /**
     * Whether it hands an object to another thread. The call counts when that thread takes the
     * object; its duration is the wait until then.
     */
    public final boolean hands;
    /** Of a trace: the call sites, and whether a tree may begin here. */
    public final String[] sites;
    public final boolean root;
    /** Of a root: one call in this many is timed, so that tracing stays within its budget. */
    public volatile int every = 1;

    public TachoSlot(int probe, String method, boolean constructor, int[] keys, boolean outermost) {
        this(probe, method, constructor, keys, outermost, false, null, false);
    }

    private TachoSlot(int probe, String method, boolean hands) {
        this(probe, method, false, new int[0], false, hands, null, false);
    }

    /** A method that hands something to another thread, and one that takes it. */
    public static TachoSlot ofHandOver(int probe, String method, boolean hands) {
        return new TachoSlot(probe, method, hands);
    }

    public TachoSlot(int probe, String method, String[] sites, boolean root) {
        this(probe, method, false, new int[0], false, false, sites, root);
    }

    private TachoSlot(int probe, String method, boolean constructor, int[] keys, boolean outermost, boolean hands, String[] sites, boolean root) {
        this.probe = probe;
        this.method = method;
        this.constructor = constructor;
        this.keys = keys;
        this.outermost = outermost;
        this.hands = hands;
        this.sites = sites;
        this.root = root;
    }
}

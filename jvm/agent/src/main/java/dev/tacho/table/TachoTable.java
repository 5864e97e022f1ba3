package dev.tacho.table;

/**
 * What instrumented code calls. These few classes are defined by the boot class loader, in the
 * package {@code java.lang} (see the pom), since code of the JDK is instrumented as well, and since
 * every class loader, however strict, finds what is in {@code java.*}. Nothing in here throws; what
 * it does itself is not observed.
 */
public final class TachoTable {
    private static final int LONGEST_KEY = 300;
    private static final int WALKS = 200;
    private static final String OWN = TachoTable.class.getName().substring(0, TachoTable.class.getName().length() - "Table".length());

    private static volatile TachoConfig config;
    private static volatile ThreadLocal<TachoState> states = new ThreadLocal<>();
    private static String session;
    private static long version;

    private TachoTable() {
    }

    // --- for the agent --------------------------------------------------------------------------

    /** One session at a time: null when it is ours now, else whose it is. */
    public static synchronized String claim(String who) {
        if (session == null) {
            session = who;
            return null;
        }
        return session;
    }

    /** The first who asks says which version this is. */
    public static synchronized boolean isVersion(long asked) {
        if (version == 0) {
            version = asked;
        }
        return version == asked;
    }

    public static synchronized void release(String who) {
        if (who.equals(session)) {
            session = null;
            install(null);
            states = new ThreadLocal<>();
        }
    }

    /** From now on calls go there; null: nowhere. */
    public static void install(TachoConfig now) {
        if (now != null) {
            // Loads and links everything that a call needs, before one comes.
            TachoState state = state();
            boolean was = state.busy;
            state.busy = true;
            try {
                state.walk.stack(now, false, false);
            } catch (Throwable e) {
                // It is tried again by the first call.
            } finally {
                state.busy = was;
            }
            now.reset();
        }
        TachoConfig before = config;
        config = now;
        if (before != null && before != now) {
            // What it has counted is of no use any more.
            before.reset();
        }
    }

    /** The calling thread is the agent's: nothing that it does is observed. */
    public static void ignoreThisThread() {
        state().busy = true;
    }

    /**
     * The calling thread is in the agent's transformer until {@link #leaveTransformer}, and nothing
     * that it does is observed. False when it is in there already: a class is being loaded for it,
     * and has to stay as it is.
     */
    public static boolean enterTransformer() {
        TachoState state = state();
        if (state.transforming) {
            return false;
        }
        state.transforming = true;
        state.wasBusy = state.busy;
        state.busy = true;
        return true;
    }

    public static void leaveTransformer() {
        TachoState state = state();
        state.busy = state.wasBusy;
        state.transforming = false;
    }

    /**
     * Walks the stack until the JVM has generated all code that it needs for that. After 127 calls
     * it compiles a method handle once more ({@code
     * java.lang.invoke.MethodHandleStatics.CUSTOMIZE_THRESHOLD}). That should not happen in a call
     * of the application.
     */
    public static void warmUp(TachoConfig with) throws Throwable {
        TachoState state = state();
        boolean was = state.busy;
        state.busy = true;
        try {
            for (int i = 0; i < WALKS; i++) {
                // So that each stack is new, and its lines are asked for.
                with.reset();
                state.walk.stack(with, i % 2 == 0, i % 3 == 0);
            }
        } finally {
            state.busy = was;
        }
    }

    static boolean isOwn(String name) {
        return name.startsWith(OWN);
    }

    private static TachoState state() {
        ThreadLocal<TachoState> local = states;
        TachoState state = local.get();
        if (state == null) {
            state = new TachoState();
            local.set(state);
        }
        return state;
    }

    // --- probes ---------------------------------------------------------------------------------

    public static TachoCall enter(int number, Object receiver, Object first, Object second) {
        TachoConfig now = config;
        TachoSlot slot = now == null ? null : now.slot(number);
        if (slot == null) {
            return null;
        }
        try {
            TachoState state = state();
            if (state.busy) {
                return null;
            }
            // Set before anything else: the code that is called below may be instrumented itself.
            state.busy = true;
            try {
                TachoCall call = state.push();
                if (call == null) {
                    now.leaveOut(slot.probe);
                    return null;
                }
                call.config = now;
                call.slot = slot;
                call.receiver = receiver;
                call.first = first;
                call.second = second;
                call.counted = !slot.outermost || isOutermost(state, call);
                call.start = System.nanoTime();
                return call;
            } finally {
                state.busy = false;
            }
        } catch (Throwable e) {
            // No room on the stack or in the heap: the call of the application goes on, unseen.
            return null;
        }
    }

    private static boolean isOutermost(TachoState state, TachoCall call) {
        for (int i = call.depth - 1; i >= 0; i--) {
            TachoCall outer = state.calls[i];
            if (outer.config == call.config && outer.slot.probe == call.slot.probe && isSame(outer.first, call.first)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSame(Object one, Object other) {
        return one == other || one instanceof String && one.equals(other);
    }

    public static void returned(TachoCall call) {
        if (call != null) {
            end(call, true, null, null);
        }
    }

    public static void returned(Object result, TachoCall call) {
        if (call != null) {
            end(call, false, result, null);
        }
    }

    public static void thrown(Throwable thrown, TachoCall call) {
        if (call != null) {
            end(call, true, null, thrown);
        }
    }

    private static void end(TachoCall call, boolean none, Object result, Throwable thrown) {
        long nanos = System.nanoTime() - call.start;
        TachoConfig now = call.config;
        if (now == null) {
            return;
        }
        TachoState state = call.state;
        if (call.slot.hands) {
            if (thrown != null) {
                handedBack(call);
            }
        } else if (call.counted && now == config) {
            state.busy = true;
            try {
                TachoSlot slot = call.slot;
                boolean message = isMessage(slot);
                String outcome = thrown != null ? thrown.getClass().getName() : none || message || result != null ? null : "null";
                TachoStack stack = state.walk.stack(now, slot.constructor, false);
                now.count(new TachoKey(slot.probe, keys(call, slot, result), outcome, stack), nanos);
            } catch (Throwable e) {
                now.leaveOut(call.slot.probe);
            } finally {
                state.busy = false;
            }
        }
        call.leave();
    }

    private static boolean isMessage(TachoSlot slot) {
        for (int key : slot.keys) {
            if (key == TachoSlot.MESSAGE) {
                return true;
            }
        }
        return false;
    }

    private static String[] keys(TachoCall call, TachoSlot slot, Object result) {
        int[] kinds = slot.keys;
        String[] keys = new String[kinds.length];
        Object argument = call.first;
        for (int i = 0; i < kinds.length; i++) {
            switch (kinds[i]) {
                case TachoSlot.ARGUMENT:
                    keys[i] = text(argument);
                    argument = call.second;
                    break;
                case TachoSlot.RESULT_CLASS:
                    keys[i] = className(result);
                    break;
                case TachoSlot.RECEIVER_CLASS:
                    keys[i] = className(call.receiver);
                    break;
                case TachoSlot.RECEIVER_LOADER:
                    keys[i] = loader(call.receiver);
                    break;
                case TachoSlot.METHOD:
                    keys[i] = slot.method;
                    break;
                default:
                    keys[i] = result == null ? "" : bounded((String) result);
            }
        }
        return keys;
    }

    private static String className(Object object) {
        return object == null ? "null" : object.getClass().getName();
    }

    /**
     * The text of what is the JDK's own; of anything else the class, since its methods are the
     * application's.
     */
    private static String text(Object object) {
        if (object == null) {
            return "null";
        }
        if (object instanceof String) {
            return bounded((String) object);
        }
        if (object instanceof Class) {
            return ((Class<?>) object).getName();
        }
        if (object instanceof Enum) {
            return ((Enum<?>) object).name();
        }
        Class<?> type = object.getClass();
        if (object instanceof Number || object instanceof CharSequence || object instanceof Boolean || object instanceof Character
                || object instanceof java.net.URI || object instanceof java.net.InetSocketAddress) {
            // Subclasses of Number and CharSequence may be anybody's.
            if (type.getClassLoader() == null) {
                return bounded(object.toString());
            }
        }
        return "@".concat(type.getName());
    }

    private static String bounded(String text) {
        return text.length() <= LONGEST_KEY ? text : text.substring(0, LONGEST_KEY).concat("...");
    }

    private static String loader(Object receiver) {
        if (!(receiver instanceof ClassLoader)) {
            return className(receiver);
        }
        return receiver.getClass().getName();
    }

    // --- what one thread hands to another -------------------------------------------------------

    /** A task is handed to another thread. Objects of other types are not followed. */
    public static TachoCall handed(int number, Object what, Class<?> type) {
        if (what == null || type != null && !type.isInstance(what)) {
            return null;
        }
        TachoCall call = enter(number, null, what, null);
        if (call == null) {
            return null;
        }
        TachoState state = call.state;
        state.busy = true;
        try {
            call.config.hand(what, new TachoHanded(call.slot.probe, state.walk.stack(call.config, false, false)));
        } catch (Throwable e) {
            call.config.leaveOut(call.slot.probe);
        } finally {
            state.busy = false;
        }
        return call;
    }

    /** It was refused. */
    private static void handedBack(TachoCall call) {
        TachoState state = call.state;
        state.busy = true;
        try {
            call.config.take(call.first);
        } catch (Throwable e) {
            // Then it stays until the counts begin anew.
        } finally {
            state.busy = false;
        }
    }

    /** This thread begins with what was handed over. */
    public static void taken(int number, Object what) {
        TachoConfig now = config;
        if (now == null || what == null || now.slot(number) == null) {
            return;
        }
        try {
            TachoState state = state();
            if (!state.busy) {
                take(state, now, number, what);
            }
        } catch (Throwable e) {
            // No room: it stays until the counts begin anew.
        }
    }

    private static void take(TachoState state, TachoConfig now, int number, Object what) {
        state.busy = true;
        try {
            long at = System.nanoTime();
            TachoHanded handed = now.take(what);
            if (handed != null) {
                String[] keys = {pool(Thread.currentThread().getName())};
                now.count(new TachoKey(handed.probe, keys, null, handed.stack), at - handed.since);
            }
        } catch (Throwable e) {
            now.leaveOut(now.slot(number).probe);
        } finally {
            state.busy = false;
        }
    }

    /** Threads of a pool differ by a number at the end of their names. */
    private static String pool(String thread) {
        int end = thread.length();
        while (end > 0 && (Character.isDigit(thread.charAt(end - 1)) || thread.charAt(end - 1) == '-' || thread.charAt(end - 1) == '#')) {
            end--;
        }
        return end == 0 ? thread : bounded(thread.substring(0, end));
    }

    // --- traces ---------------------------------------------------------------------------------

    public static TachoCall traceEnter(int number) {
        TachoConfig now = config;
        TachoSlot slot = now == null ? null : now.slot(number);
        if (slot == null) {
            return null;
        }
        try {
            TachoState state = state();
            if (state.busy) {
                return null;
            }
            // Already here: what a tree is made with may be what is instrumented.
            state.busy = true;
            try {
                return traceBegun(state, now, slot, number);
            } finally {
                state.busy = false;
            }
        } catch (Throwable e) {
            // As above.
            return null;
        }
    }

    private static TachoCall traceBegun(TachoState state, TachoConfig now, TachoSlot slot, int number) {
        TachoCall outer = state.depth == 0 ? null : state.calls[state.depth - 1];
        if (outer != null && outer.config == now) {
            // Inside a call that is not timed, nothing is timed.
            TachoNode node = outer.node == null ? null : outer.node.child(outer.site, number, slot);
            return node == null ? null : begun(state, now, slot, node);
        }
        return slot.root ? rootBegun(state, now, slot, number) : null;
    }

    private static TachoCall rootBegun(TachoState state, TachoConfig now, TachoSlot slot, int number) {
        if (now.isOneByOne()) {
            TachoTree own = now.treeOfOne();
            TachoNode node = own == null ? null : own.root(number, slot);
            return node == null ? null : begun(state, now, slot, node);
        }
        TachoTree tree = now.tree(state.tree);
        TachoNode node = tree == null ? null : tree.root(number, slot);
        if (node == null) {
            now.leaveOut(slot.probe);
        } else {
            state.tree = tree;
            boolean timed = node.isTurn();
            TachoCall call = begun(state, now, slot, timed ? node : null);
            if (call != null && timed) {
                return call;
            }
            tree.release();
            return call;
        }
        if (tree != null) {
            tree.release();
        }
        return null;
    }

    private static TachoCall begun(TachoState state, TachoConfig now, TachoSlot slot, TachoNode node) {
        TachoCall call = state.push();
        if (call == null) {
            return null;
        }
        call.config = now;
        call.slot = slot;
        call.node = node;
        call.site = -1;
        if (node != null) {
            call.start = System.nanoTime();
        }
        return call;
    }

    public static void callStart(TachoCall call, int site) {
        if (call != null && call.node != null) {
            call.site = site;
            call.siteStart = System.nanoTime();
        }
    }

    public static void callEnd(TachoCall call) {
        if (call != null && call.site >= 0 && call.node != null) {
            call.node.addSite(call.site, System.nanoTime() - call.siteStart);
            call.site = -1;
        }
    }

    /**
     * An exception has come to a handler of the method: from the call site that was under way, if
     * there was one.
     */
    public static void caught(TachoCall call) {
        if (call != null && call.config != null) {
            call.state.depth = call.depth + 1;
            if (call.site >= 0 && call.node != null) {
                call.node.addFailedSite(call.site, System.nanoTime() - call.siteStart);
                call.site = -1;
            }
        }
    }

    public static void traceReturned(TachoCall call) {
        if (call != null && call.config != null) {
            TachoNode node = call.node;
            if (node != null) {
                node.add(System.nanoTime() - call.start);
            }
            traceLeft(call, node);
        }
    }

    public static void traceThrown(TachoCall call) {
        if (call != null && call.config != null) {
            caught(call);
            TachoNode node = call.node;
            if (node != null) {
                node.addFailed(System.nanoTime() - call.start);
            }
            traceLeft(call, node);
        }
    }

    private static void traceLeft(TachoCall call, TachoNode node) {
        TachoConfig of = call.config;
        call.leave();
        if (node != null && node.parent == null) {
            TachoState state = call.state;
            boolean was = state.busy;
            state.busy = true;
            try {
                if (of.isOneByOne()) {
                    of.over(node);
                } else {
                    node.tree.release();
                }
            } catch (Throwable e) {
                // No room to keep it.
            } finally {
                state.busy = was;
            }
        }
    }

    // --- watches --------------------------------------------------------------------------------

    public static TachoCall watchEnter(int number, Object receiver, Object[] arguments) {
        TachoCall call = enter(number, null, null, null);
        if (call == null) {
            return null;
        }
        call.state.busy = true;
        try {
            call.token = call.config.sink.enter(call.slot, receiver, arguments);
        } catch (Throwable e) {
            call.token = null;
        } finally {
            call.state.busy = false;
        }
        call.start = System.nanoTime();
        return call;
    }

    public static void watchReturned(TachoCall call) {
        watchEnd(call, false, null, null);
    }

    public static void watchReturned(Object result, TachoCall call) {
        watchEnd(call, true, result, null);
    }

    public static void watchThrown(Throwable thrown, TachoCall call) {
        watchEnd(call, false, null, thrown);
    }

    private static void watchEnd(TachoCall call, boolean hasResult, Object result, Throwable thrown) {
        if (call == null || call.config == null) {
            return;
        }
        long nanos = System.nanoTime() - call.start;
        TachoState state = call.state;
        if (call.token != null && call.config == config) {
            state.busy = true;
            try {
                TachoStack stack = state.walk.stack(call.config, call.slot.constructor, true);
                call.config.sink.exit(call.token, hasResult, result, thrown, nanos, stack);
            } catch (Throwable e) {
                // A call that cannot be shown is not shown.
            } finally {
                state.busy = false;
            }
        }
        call.leave();
    }
}

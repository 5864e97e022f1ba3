package dev.tacho.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * An instrument that is in: the methods, and what has been counted. Bounded, whatever the
 * application does.
 */
public final class TachoConfig {
    private static final int MOST_CELLS = 20_000;
    private static final int MOST_STACKS = 10_000;
    private static final int MOST_NODES = 40_000;
    private static final int MOST_TREES = 1_000;
    private static final int MOST_HANDED = 20_000;
    /** Of a call that is kept by itself. */
    private static final int MOST_NODES_OF_ONE = 500;
    /**
     * Numbers are never given twice in a JVM: code of an earlier instrument may still be running.
     */
    private static final AtomicInteger NEXT_SLOT = new AtomicInteger();

    private final String[] owners;
    private final ConcurrentMap<String, Boolean> ownerClasses = new ConcurrentHashMap<>();
    private final int firstSlot;
    private volatile TachoSlot[] slots = new TachoSlot[0];
    private final int probes;
    final TachoSink sink;
    private volatile Counts counts;
    /** Calls of roots are trees of their own, and slow ones are kept; else all are added up. */
    private boolean oneByOne;
    private long slowerThan;
    private final AtomicInteger roomForCalls = new AtomicInteger();
    private final ConcurrentLinkedQueue<TachoNode> kept = new ConcurrentLinkedQueue<>();

    /** Everything that a reset begins anew. */
    private static final class Counts {
        final long since = System.nanoTime();
        final ConcurrentMap<TachoKey, TachoCell> cells = new ConcurrentHashMap<>();
        final ConcurrentMap<Object, TachoStack> stacks = new ConcurrentHashMap<>();
        final ConcurrentMap<TachoSame, TachoHanded> handed = new ConcurrentHashMap<>();
        final AtomicInteger handedRoom = new AtomicInteger(MOST_HANDED);
        final ConcurrentLinkedQueue<TachoTree> trees = new ConcurrentLinkedQueue<>();
        final AtomicInteger nodeRoom = new AtomicInteger(MOST_NODES);
        final AtomicInteger treeRoom = new AtomicInteger(MOST_TREES);
        final AtomicInteger room = new AtomicInteger(MOST_CELLS);
        final AtomicInteger stackRoom = new AtomicInteger(MOST_STACKS);
        final LongAdder[] leftOut;

        Counts(int probes) {
            leftOut = new LongAdder[probes];
            for (int i = 0; i < probes; i++) {
                leftOut[i] = new LongAdder();
            }
        }

        /**
         * Threads hold the tree that they had last, and by it all of this, for as long as they
         * live.
         */
        void forget() {
            for (TachoTree tree = trees.poll(); tree != null; tree = trees.poll()) {
                tree.forget();
            }
            cells.clear();
            stacks.clear();
            handed.clear();
        }
    }

    /** Owners are prefixes that end with a dot; an empty one is the package without a name. */
    public TachoConfig(int probes, String[] owners, TachoSink sink) {
        this.probes = probes;
        this.owners = owners.clone();
        this.sink = sink;
        this.firstSlot = NEXT_SLOT.get();
        this.counts = new Counts(probes);
    }

    /** Keeps calls that take at least this long one by one, up to a number. Before installing. */
    public void keepOneByOne(long slowerThanNanos, int most) {
        oneByOne = true;
        slowerThan = slowerThanNanos;
        roomForCalls.set(most);
    }

    boolean isOneByOne() {
        return oneByOne;
    }

    /** A tree for a call alone; null when enough of them have been kept. */
    TachoTree treeOfOne() {
        return roomForCalls.get() > 0 ? new TachoTree(counts, new AtomicInteger(MOST_NODES_OF_ONE)) : null;
    }

    /** A call is over that had a tree for itself. */
    void over(TachoNode root) {
        if (root.total() >= slowerThan && roomForCalls.getAndDecrement() > 0) {
            // The call may have begun just before the last reset.
            root.began = Math.max(0, System.nanoTime() - counts.since - root.total());
            root.thread = Thread.currentThread().getName();
            kept.add(root);
        }
    }

    /** Calls that were kept, in the order in which they ended. */
    public List<TachoNode> kept() {
        return new ArrayList<>(kept);
    }

    /** The number of a method that is about to be instrumented. */
    public synchronized int add(TachoSlot slot) {
        TachoSlot[] more = Arrays.copyOf(slots, slots.length + 1);
        more[slots.length] = slot;
        slots = more;
        NEXT_SLOT.set(firstSlot + more.length);
        return firstSlot + more.length - 1;
    }

    /** A number whose method is not wholly known yet; until it is set, calls are not observed. */
    public int reserve() {
        return add(null);
    }

    public synchronized void set(int number, TachoSlot slot) {
        TachoSlot[] more = slots.clone();
        more[number - firstSlot] = slot;
        slots = more;
    }

    TachoSlot slot(int number) {
        TachoSlot[] all = slots;
        int at = number - firstSlot;
        return at >= 0 && at < all.length ? all[at] : null;
    }

    public void reset() {
        Counts before = counts;
        counts = new Counts(probes);
        before.forget();
    }

    public long elapsed() {
        return System.nanoTime() - counts.since;
    }

    public ConcurrentMap<TachoKey, TachoCell> cells() {
        return counts.cells;
    }

    /** Of all trees: one method may be among them several times. */
    public List<TachoNode> roots() {
        List<TachoNode> roots = new ArrayList<>();
        for (TachoTree tree : counts.trees) {
            tree.addRoots(roots);
        }
        return roots;
    }

    /** Methods that were put in. */
    public List<TachoSlot> slots() {
        List<TachoSlot> known = new ArrayList<>();
        for (TachoSlot slot : slots) {
            if (slot != null) {
                known.add(slot);
            }
        }
        return known;
    }

    public long leftOut(int probe) {
        return counts.leftOut[probe].sum();
    }

    ConcurrentMap<Object, TachoStack> stacks() {
        return counts.stacks;
    }

    /** Whether a class is an owner's. Generated classes are not: they only pass calls on. */
    boolean isOwner(String name) {
        Boolean known = ownerClasses.get(name);
        if (known == null) {
            known = computeOwner(name);
            if (ownerClasses.size() < MOST_STACKS) {
                ownerClasses.put(name, known);
            }
        }
        return known;
    }

    private boolean computeOwner(String name) {
        if (passesCallsOn(name)) {
            return false;
        }
        for (String owner : owners) {
            if (owner.isEmpty() ? name.indexOf('.') < 0 : name.startsWith(owner)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Classes that were made while the program was built or ran. Those of Scala ({@code
     * Routes$$anon$1}) and of inlined functions of Kotlin ({@code Orders$total$$inlined$map$1})
     * have code that stands in a source.
     */
    static boolean passesCallsOn(String name) {
        for (int at = name.indexOf("$$"); at >= 0; at = name.indexOf("$$", at + 2)) {
            int after = at + 2;
            // Without String.replace: it compiles an expression in Java 8, and expressions may be
            // what is counted.
            if (!name.startsWith("anon", after) && !name.startsWith("inlined", after) && !name.startsWith("special", after)) {
                return true;
            }
        }
        return name.contains("$Proxy");
    }

    /** Each stack once; null when there is no room. */
    TachoStack keep(TachoStack stack) {
        Counts now = counts;
        if (now.stackRoom.decrementAndGet() < 0) {
            now.stackRoom.incrementAndGet();
            return null;
        }
        TachoStack first = now.stacks.putIfAbsent(stack, stack);
        if (first == null) {
            return stack;
        }
        now.stackRoom.incrementAndGet();
        return first;
    }

    void count(TachoKey key, long nanos) {
        Counts now = counts;
        TachoCell cell = key.stack == null ? null : now.cells.get(key);
        if (cell == null) {
            cell = key.stack == null ? null : newCell(now, key);
        }
        if (cell == null) {
            now.leftOut[key.probe].increment();
        } else {
            cell.add(nanos);
        }
    }

    private static TachoCell newCell(Counts now, TachoKey key) {
        if (now.room.decrementAndGet() < 0) {
            now.room.incrementAndGet();
            return null;
        }
        TachoCell made = new TachoCell();
        TachoCell first = now.cells.putIfAbsent(key, made);
        if (first == null) {
            return made;
        }
        now.room.incrementAndGet();
        return first;
    }

    /** Keeps it until it is taken; what is never taken stays until the counts begin anew. */
    void hand(Object what, TachoHanded handed) {
        Counts now = counts;
        if (handed.stack == null) {
            now.leftOut[handed.probe].increment();
            return;
        }
        if (now.handedRoom.decrementAndGet() < 0) {
            now.handedRoom.incrementAndGet();
            now.leftOut[handed.probe].increment();
            return;
        }
        TachoSame same = new TachoSame(what);
        boolean kept;
        do {
            handed.before = now.handed.get(same);
            kept = handed.before == null ? now.handed.putIfAbsent(same, handed) == null : now.handed.replace(same, handed.before, handed);
        } while (!kept);
    }

    /** Null when it was not handed over, or before the counts began. */
    TachoHanded take(Object what) {
        Counts now = counts;
        TachoSame same = new TachoSame(what);
        while (true) {
            TachoHanded handed = now.handed.get(same);
            if (handed == null) {
                return null;
            }
            if (handed.before == null ? now.handed.remove(same, handed) : now.handed.replace(same, handed, handed.before)) {
                now.handedRoom.incrementAndGet();
                return handed;
            }
        }
    }

    void leaveOut(int probe) {
        counts.leftOut[probe].increment();
    }

    /**
     * A tree that is nobody else's until it is released: the one that the thread had last, or any
     * that is free. Null when there are too many.
     */
    TachoTree tree(TachoTree last) {
        Counts now = counts;
        if (last != null && last.counts == now && last.take()) {
            return last;
        }
        for (TachoTree each : now.trees) {
            if (each.take()) {
                return each;
            }
        }
        if (now.treeRoom.decrementAndGet() < 0) {
            now.treeRoom.incrementAndGet();
            return null;
        }
        TachoTree made = new TachoTree(now, now.nodeRoom);
        now.trees.add(made);
        return made;
    }
}

package dev.tacho.agent;

/**
 * Code of every kind that instruments deal with. It is woven and run before any class of the
 * application. So everything that the agent, the table and the JVM need for that is loaded by then.
 * If it fails, no class of the application is touched.
 */
public class Shapes implements Runnable {
    private static final int TURNS = 6;

    private final Object[] given;
    private long sum;

    public Shapes() {
        this(TURNS > 3 ? new Object[] {"text", 1, 'c', 2.0, null, Shapes.class, new int[] {1, 2}, Thread.State.NEW} : new Object[0]);
    }

    Shapes(Object... given) {
        super();
        this.given = given;
    }

    @Override
    public void run() {
        for (int i = 0; i < TURNS; i++) {
            sum += wide(i, i * 2.0, i / 3f, (byte) i, (short) i, (char) i, i > 2);
            each(given, this);
            if (!caught(i).equals("caught " + i)) {
                throw new IllegalStateException("a woven method does not do what it did");
            }
            handOver(this, given);
        }
        if (depth(TURNS) != TURNS || sum != 48) {
            throw new IllegalStateException("a woven method does not do what it did");
        }
    }

    private static long wide(long a, double b, float c, byte d, short e, char f, boolean g) {
        long whole = a + (long) b;
        switch (d) {
            case 0:
                return whole;
            case 1:
            case 2:
                return whole + e - d;
            default:
                return g ? whole + f - e + 1 : (long) c;
        }
    }

    private static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    private Object each(Object[] objects, Runnable self) {
        Object last = null;
        for (Object object : objects) {
            last = object;
        }
        return self == this ? last : self;
    }

    private static String caught(int i) {
        try {
            fail(i);
            return "not caught";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        } finally {
            new Shapes((Object) null).each(new Object[] {i}, null);
        }
    }

    private static void fail(int i) {
        synchronized (Shapes.class) {
            throw new IllegalArgumentException("caught " + i);
        }
    }

    private static void handOver(Runnable task, Object other) {
        if (other != null && task != null) {
            take(task);
        }
    }

    private static void take(Runnable task) {
        task.hashCode();
    }
}

package tacho.checks;

import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/** Runs one check after the other, each on a thread of its own, and prints a line about each. */
public final class Checks {

    /**
     * How long a check may take, in slices: a process that is stopped for a while loses one slice,
     * not its time.
     */
    private static final int SLICES = 1200;

    private static final int SLICE_MILLIS = 100;

    /** What a check does; it returns what is to be alike. */
    @FunctionalInterface
    public interface Body {
        Object value() throws Throwable;
    }

    private record Outcome(Object value, Throwable thrown) {}

    private final PrintStream out;
    private int passed;
    private int failed;

    public Checks(PrintStream out) {
        this.out = out;
    }

    /** A check whose value is known. */
    public void check(String name, Object expected, Body body) {
        conclude(name, run(name, body), expected);
    }

    /** A check whose value only has to be the same in every build. */
    public void alike(String name, Body body) {
        Outcome outcome = run(name, body);
        conclude(name, outcome, outcome.value);
    }

    private void conclude(String name, Outcome outcome, Object expected) {
        if (outcome.thrown != null) {
            fail(name, "threw " + outcome.thrown);
            outcome.thrown.printStackTrace();
        } else if (!Objects.equals(String.valueOf(outcome.value), String.valueOf(expected))) {
            fail(name, "is " + outcome.value + ", not " + expected);
        } else {
            passed++;
            out.println("ok     " + name + ": " + outcome.value);
        }
    }

    private void fail(String name, String why) {
        failed++;
        out.println("FAILED " + name + ": " + why);
    }

    private static Outcome run(String name, Body body) {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        Thread thread = Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                outcome.set(new Outcome(body.value(), null));
            } catch (Throwable e) {
                outcome.set(new Outcome(null, e));
            }
        });
        try {
            for (int slice = 0; thread.isAlive() && slice < SLICES; slice++) {
                thread.join(SLICE_MILLIS);
            }
        } catch (InterruptedException e) {
            return new Outcome(null, e);
        }
        return outcome.get() != null ? outcome.get() : new Outcome(null, hanging(thread));
    }

    private static Throwable hanging(Thread thread) {
        Throwable where = new IllegalStateException("no end after " + SLICES * SLICE_MILLIS / 1000 + " s");
        where.setStackTrace(thread.getStackTrace());
        return where;
    }

    /** The line with the sums; returns the exit code. */
    public int conclude() {
        out.println(passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}

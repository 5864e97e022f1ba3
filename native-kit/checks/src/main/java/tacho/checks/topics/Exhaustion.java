package tacho.checks.topics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tacho.checks.Checks;
import tacho.checks.Topic;

/**
 * The ends of memory and stack. Last of all topics: what comes after it shows that the program
 * lives on.
 */
final class Exhaustion implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("exhaustion.of the stack", "StackOverflowError after more than 1000 calls true", () -> {
            int[] depth = new int[1];
            try {
                descend(depth);
                return "no end";
            } catch (StackOverflowError e) {
                return e.getClass().getSimpleName() + " after more than 1000 calls " + (depth[0] > 1000);
            }
        });
        checks.check("exhaustion.of the stack, again and again", 20, () -> {
            int caught = 0;
            for (int i = 0; i < 20; i++) {
                try {
                    descend(new int[1]);
                } catch (StackOverflowError e) {
                    caught++;
                }
            }
            return caught;
        });
        checks.check("exhaustion.of a small stack", "StackOverflowError", () -> {
            CompletableFuture<String> caught = new CompletableFuture<>();
            new Thread(
                            null,
                            () -> {
                                try {
                                    descend(new int[1]);
                                } catch (StackOverflowError e) {
                                    caught.complete(e.getClass().getSimpleName());
                                }
                            },
                            "small",
                            256 << 10)
                    .start();
            return caught.get();
        });
        checks.check("exhaustion.of the heap by one array", "OutOfMemoryError", () -> {
            try {
                return new long[Integer.MAX_VALUE - 8].length;
            } catch (OutOfMemoryError e) {
                return e.getClass().getSimpleName();
            }
        });
        checks.check("exhaustion.of the heap bit by bit", "OutOfMemoryError", () -> {
            List<byte[]> kept = new ArrayList<>();
            try {
                while (true) {
                    kept.add(new byte[1 << 20]);
                }
            } catch (OutOfMemoryError e) {
                kept.clear();
                return e.getClass().getSimpleName();
            }
        });
        checks.check("exhaustion.life goes on", "300 MiB in turns", () -> {
            long sum = 0;
            for (int i = 0; i < 300; i++) {
                sum += new byte[1 << 20].length;
            }
            return (sum >> 20) + " MiB in turns";
        });
    }

    private static int descend(int[] depth) {
        depth[0]++;
        return descend(depth) + 1;
    }
}

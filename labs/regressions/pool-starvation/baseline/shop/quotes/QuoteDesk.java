package shop.quotes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks all suppliers at once. */
final class QuoteDesk {
    private final ExecutorService callers = Executors.newFixedThreadPool(8, task -> new Thread(task, "supplier"));
    private final List<Supplier> suppliers;

    QuoteDesk(List<Supplier> suppliers) {
        this.suppliers = suppliers;
    }

    List<Integer> quotes(int cents) {
        List<Future<Integer>> asked = new ArrayList<>();
        for (Supplier supplier : suppliers) {
            asked.add(callers.submit(() -> supplier.quote(cents)));
        }
        List<Integer> quotes = new ArrayList<>();
        for (Future<Integer> answer : asked) {
            quotes.add(await(answer));
        }
        return quotes;
    }

    private static int await(Future<Integer> answer) {
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a supplier does not answer", e);
        }
    }
}

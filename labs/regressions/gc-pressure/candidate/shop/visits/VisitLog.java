package shop.visits;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Who has seen what: the last visits. */
final class VisitLog {
    /** A page that was seen. */
    record View(String page, long at) {}

    private static final int KEPT = 2_000;
    private final Deque<List<View>> visits = new ArrayDeque<>();

    int remember(int pages) {
        List<View> visit = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            visit.add(new View("page " + i, i));
        }
        synchronized (visits) {
            visits.add(visit);
            if (visits.size() > KEPT) {
                visits.remove();
            }
        }
        return visit.size();
    }
}

package dev.tacho.warmup.request;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Which request is the next: all in turn, each as often as its weight says and as evenly as can be
 * (smooth weighted round-robin, as nginx chooses among servers). Nothing is drawn, so that two
 * starts send the same. Not for several threads at once.
 */
public final class RequestMix {

    /** Kinds beyond this many are counted together, as {@code tacho load} does with lists. */
    static final int MOST_KINDS = 100;
    private static final String OTHERS = "others";

    private final List<Entry> entries = new ArrayList<>();
    private final List<String> kinds;
    private final long total;

    /**
     * The next request and its kind.
     *
     * @param request to send
     * @param kind index into {@link #kinds()}
     */
    public record Next(WarmUpRequest request, int kind) {
    }

    private static final class Entry {

        private final Next next;
        private long credit;

        private Entry(WarmUpRequest request, int kind) {
            next = new Next(request, kind);
        }
    }

    /** Of these requests, at least one. */
    public RequestMix(List<WarmUpRequest> requests) {
        List<String> names = new ArrayList<>(new LinkedHashSet<>(requests.stream().map(WarmUpRequest::name).toList()));
        if (names.size() > MOST_KINDS) {
            names.subList(MOST_KINDS - 1, names.size()).clear();
            names.add(OTHERS);
        }
        kinds = List.copyOf(names);
        for (WarmUpRequest request : requests) {
            int kind = kinds.indexOf(request.name());
            entries.add(new Entry(request, kind < 0 ? kinds.size() - 1 : kind));
        }
        total = requests.stream().mapToLong(WarmUpRequest::weight).sum();
    }

    /** Names of the kinds of request. */
    public List<String> kinds() {
        return kinds;
    }

    /** The next request. */
    public Next next() {
        Entry best = entries.get(0);
        for (Entry entry : entries) {
            entry.credit += entry.next.request().weight();
            if (entry.credit > best.credit) {
                best = entry;
            }
        }
        best.credit -= total;
        return best.next;
    }
}

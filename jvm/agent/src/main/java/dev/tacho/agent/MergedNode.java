package dev.tacho.agent;

import dev.tacho.table.TachoNode;
import dev.tacho.table.TachoSlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A method at one place of the call tree, merged over the trees of all threads. If calls of the
 * root were not timed, the figures are scaled up to stand for those calls too.
 */
final class MergedNode {
    final TachoSlot slot;
    private final MergedNode parent;
    private final int parentSite;
    private long count;
    private long total;
    private long failed;
    private long passed;
    private final long[] counts;
    private final long[] totals;
    private final long[] failures;
    private final Map<Long, MergedNode> children = new LinkedHashMap<>();

    private MergedNode(MergedNode parent, TachoNode like) {
        this.parent = parent;
        this.parentSite = like.parentSite;
        this.slot = like.slot;
        this.counts = new long[slot.sites.length];
        this.totals = new long[slot.sites.length];
        this.failures = new long[slot.sites.length];
    }

    static Collection<MergedNode> of(List<TachoNode> roots) {
        Map<Long, MergedNode> merged = new LinkedHashMap<>();
        for (TachoNode root : roots) {
            add(merged, null, root);
        }
        return merged.values();
    }

    private static void add(Map<Long, MergedNode> to, MergedNode parent, TachoNode node) {
        long key = (long) node.parentSite << 32 | node.method;
        MergedNode merged = to.get(key);
        if (merged == null) {
            merged = new MergedNode(parent, node);
            to.put(key, merged);
        }
        merged.count += node.count();
        merged.total += node.total();
        merged.failed += node.failed();
        merged.passed += node.passed();
        for (int i = 0; i < merged.counts.length; i++) {
            merged.counts[i] += node.siteCount(i);
            merged.totals[i] += node.siteTotal(i);
            merged.failures[i] += node.siteFailed(i);
        }
        for (TachoNode child : node.children()) {
            add(merged.children, merged, child);
        }
    }

    /** How often the clock was read twice, in here and below. */
    long timings() {
        long timings = count;
        for (long each : counts) {
            timings += each;
        }
        for (MergedNode child : children.values()) {
            timings += child.timings();
        }
        return timings;
    }

    /** A line for itself and for each below. */
    void write(List<Map<String, Object>> lines) {
        write(lines, -1, passed > 0, count == 0 ? 1 : (double) (count + passed) / count);
    }

    private void write(List<Map<String, Object>> lines, int above, boolean sampled, double standsFor) {
        int number = lines.size();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("kind", "traced");
        line.put("node", number);
        // A negative site: the method was not called from a timed call site. The JVM called it (to
        // initialise a class), or code that is not timed did.
        line.put("parent", parent == null ? null : Arrays.asList(above, parentSite < 0 ? parent.slot.sites.length : parentSite));
        line.put("method", slot.method);
        count(line, parent == null ? count + passed : scaled(count, standsFor), scaled(total, standsFor), scaled(failed, standsFor));
        if (sampled) {
            line.put("timed", count);
        }
        List<Map<String, Object>> callees = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            String site = slot.sites[i];
            int first = site.indexOf('\n');
            int second = site.lastIndexOf('\n');
            String lineNumber = site.substring(second + 1);
            Map<String, Object> callee = new LinkedHashMap<>();
            callee.put("method", site.substring(0, first));
            callee.put("descriptor", site.substring(first + 1, second));
            callee.put("line", lineNumber.equals("0") ? null : Integer.valueOf(lineNumber));
            count(callee, scaled(counts[i], standsFor), scaled(totals[i], standsFor), scaled(failures[i], standsFor));
            callees.add(callee);
        }
        line.put("callees", callees);
        lines.add(line);
        for (MergedNode child : children.values()) {
            child.write(lines, number, sampled, standsFor);
        }
    }

    private static long scaled(long value, double by) {
        return by > 1 ? Math.round(value * by) : value;
    }

    private static void count(Map<String, Object> line, long count, long total, long failed) {
        line.put("count", count);
        line.put("total_ns", total);
        line.put("failed", failed);
    }
}

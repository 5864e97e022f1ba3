package dev.tacho.warmup.rule;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Follows a warm-up answer by answer. Not for several threads at once. */
public final class Warming {

    private final Rule rule;
    private final List<Kind> kinds;
    private long answered;
    private long failed;
    private long failuresInARow;
    private String lastFailure;
    private Double lastMs;
    private End end;

    /** Of this many kinds of request, each of which has to settle. */
    public Warming(Rule rule, int kinds) {
        this.rule = rule;
        this.kinds = IntStream.range(0, kinds).mapToObj(i -> new Kind()).toList();
    }

    /**
     * Takes what became of a request of a kind; says why it is enough, when it is, and goes on
     * saying so.
     */
    public Optional<End> take(int kind, Answer answer) {
        if (end == null) {
            if (answer instanceof Answer.Good good) {
                takeGood(kinds.get(kind), good.milliseconds());
            } else if (answer instanceof Answer.Bad bad) {
                takeBad(kinds.get(kind), bad.why());
            }
            end = judged();
        }
        return Optional.ofNullable(end);
    }

    private void takeGood(Kind kind, double milliseconds) {
        answered++;
        failuresInARow = 0;
        lastMs = milliseconds;
        kind.takeGood(milliseconds);
        look(kind);
    }

    /**
     * Looks whether response times have settled, but not before as many answers have come as are
     * waited for: what was flat long before then says nothing about the last of them.
     */
    private void look(Kind kind) {
        if (answered == rule.atLeast()) {
            kinds.forEach(Kind::look);
        } else if (answered > rule.atLeast()) {
            kind.look();
        }
    }

    private void takeBad(Kind kind, String why) {
        failed++;
        failuresInARow++;
        lastFailure = why;
        kind.takeBad();
    }

    private End judged() {
        if (failuresInARow >= rule.failuresInARow()) {
            return End.FAILING;
        }
        if (answered >= rule.atLeast() && kinds.stream().allMatch(kind -> kind.settled().isPresent())) {
            return End.SETTLED;
        }
        return answered + failed >= rule.atMost() ? at(End.REQUEST_LIMIT) : null;
    }

    /**
     * What a limit means: it is reached by a service that answers. One that has answered nothing
     * until then was not warmed at all.
     */
    private End at(End limit) {
        return answered == 0 ? End.FAILING : limit;
    }

    /** Ends it for a reason that lies outside of the answers, unless it has ended before. */
    public void endWith(End reason) {
        if (end == null) {
            end = reason == End.TIME_LIMIT ? at(reason) : reason;
        }
        if (end == End.FAILING && lastFailure == null) {
            lastFailure = "no request was answered in that time";
        }
    }

    /** Ends it because requests cannot be sent. */
    public void giveUp(String why) {
        lastFailure = why;
        endWith(End.FAILING);
    }

    /** Good answers so far. */
    public long answered() {
        return answered;
    }

    /** The others. */
    public long failed() {
        return failed;
    }

    /** Why the last one failed. */
    public Optional<String> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** How long the last good answer took, in milliseconds. */
    public Optional<Double> lastMs() {
        return Optional.ofNullable(lastMs);
    }

    /** Why it ended, once it has. */
    public Optional<End> end() {
        return Optional.ofNullable(end);
    }

    /** In the order of their requests. */
    public List<Kind> kinds() {
        return kinds;
    }
}

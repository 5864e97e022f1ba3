package dev.tacho.warmup.run;

import dev.tacho.warmup.run.WarmUpReport.KindReport;
import dev.tacho.warmup.run.WarmUpReport.State;
import dev.tacho.warmup.rule.Answer;
import dev.tacho.warmup.rule.End;
import dev.tacho.warmup.rule.Kind;
import dev.tacho.warmup.rule.Rule;
import dev.tacho.warmup.rule.Settled;
import dev.tacho.warmup.rule.Warming;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the warm-up of this start is. For several threads at once. */
public final class WarmUpProgress {

    private static final double NANOSECONDS_OF_A_SECOND = 1e9;

    private Warming warming = new Warming(new Rule(0, 1, 1), 0);
    private List<String> names = List.of();
    private String url = "";
    private State state = State.WAITING;
    private boolean isReady;
    private long began;
    private long ended;

    synchronized void begin(String server, Rule rule, List<String> kinds) {
        url = server;
        warming = new Warming(rule, kinds.size());
        names = kinds;
        begin();
    }

    private void begin() {
        state = State.WARMING;
        began = System.nanoTime();
    }

    synchronized Optional<End> take(int kind, Answer answer) {
        return warming.take(kind, answer);
    }

    /** Ends it, unless the answers have before; says why it ended. */
    synchronized End endWith(End reason) {
        if (state == State.WAITING) {
            begin();
        }
        warming.endWith(reason);
        return warming.end().orElse(reason);
    }

    /** Ends it because nothing can be sent. */
    synchronized End giveUp(String why) {
        warming.giveUp(why);
        return endWith(End.FAILING);
    }

    synchronized void over(boolean mayTrafficCome) {
        state = State.OVER;
        isReady = mayTrafficCome;
        ended = System.nanoTime();
    }

    /** What came of it so far. */
    public synchronized WarmUpReport report() {
        List<KindReport> kinds = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            kinds.add(kind(names.get(i), warming.kinds().get(i)));
        }
        return new WarmUpReport(state, url, warming.end().map(End::word).orElse(null), isReady, warming.answered(),
                warming.failed(), warming.lastFailure().orElse(null), durationS(), kinds);
    }

    private double durationS() {
        return switch (state) {
            case WAITING -> 0.0;
            case WARMING -> (System.nanoTime() - began) / NANOSECONDS_OF_A_SECOND;
            case OVER -> (ended - began) / NANOSECONDS_OF_A_SECOND;
        };
    }

    private static KindReport kind(String name, Kind kind) {
        Optional<Settled> settled = kind.settled();
        Double first = kind.firstMs().isPresent() ? kind.firstMs().getAsDouble() : null;
        return new KindReport(name, kind.answered(), kind.failed(), first, settled.map(Settled::from).orElse(null),
                settled.map(Settled::typicalMs).orElse(null));
    }
}

package com.druckwerk.quotes.metering;

import com.druckwerk.quotes.order.Quote;
import java.time.Clock;
import java.time.YearMonth;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what resellers asked for and holds them to their contingents. */
public final class UsageMeter {

    private record Key(String reseller, YearMonth month, String step) {
    }

    private record Account(String reseller, YearMonth month) {
    }

    private final ContractBook contracts;
    private final Clock clock;
    private final Map<Account, LongAdder> totals = new ConcurrentHashMap<>();
    private final Map<Key, LongAdder> bySteps = new ConcurrentHashMap<>();

    public UsageMeter(ContractBook contracts, Clock clock) {
        this.contracts = contracts;
        this.clock = clock;
    }

    public void check(String reseller) {
        LongAdder used = totals.get(new Account(reseller, month()));
        if (used != null && used.sum() >= contracts.monthlyPositions(reseller)) {
            throw new QuotaExceeded(reseller);
        }
    }

    public void record(String reseller, Quote quote) {
        YearMonth month = month();
        for (Quote.Position position : quote.positions()) {
            bySteps.computeIfAbsent(new Key(reseller, month, position.step()), key -> new LongAdder()).increment();
        }
        totals.computeIfAbsent(new Account(reseller, month), key -> new LongAdder()).add(quote.positions().size());
    }

    public Map<String, Long> usage(String reseller) {
        YearMonth month = month();
        Map<String, Long> result = new TreeMap<>();
        bySteps.forEach((key, count) -> {
            if (key.reseller().equals(reseller) && key.month().equals(month)) {
                result.put(key.step(), count.sum());
            }
        });
        return result;
    }

    private YearMonth month() {
        return YearMonth.now(clock);
    }
}

package com.druckwerk.quotes.metering;

import com.druckwerk.quotes.order.Quote;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Books what resellers asked for and holds them to their contingents.
 *
 * <p>Each quote is booked by itself, so that disputes can be settled to the minute and a month that
 * was not billed in time can be billed later.
 */
public final class UsageMeter {

    private final ContractBook contracts;
    private final Clock clock;
    private final Map<String, Collection<UsageEntry>> entries = new ConcurrentHashMap<>();

    public UsageMeter(ContractBook contracts, Clock clock) {
        this.contracts = contracts;
        this.clock = clock;
    }

    public void check(String reseller) {
        long used = thisMonth(reseller).count();
        if (used >= contracts.monthlyPositions(reseller)) {
            throw new QuotaExceeded(reseller);
        }
    }

    public void record(String reseller, Quote quote) {
        Collection<UsageEntry> booked = entries.computeIfAbsent(reseller, key -> new ConcurrentLinkedQueue<>());
        Instant now = clock.instant();
        for (Quote.Position position : quote.positions()) {
            booked.add(new UsageEntry(now, position.step()));
        }
    }

    public Map<String, Long> usage(String reseller) {
        return thisMonth(reseller).collect(
                Collectors.groupingBy(UsageEntry::step, TreeMap::new, Collectors.counting()));
    }

    private Stream<UsageEntry> thisMonth(String reseller) {
        Instant start = YearMonth.from(LocalDate.now(clock)).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return entries.getOrDefault(reseller, List.of()).stream()
                .filter(entry -> !entry.at().isBefore(start));
    }
}

package dev.tacho.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tacho.junit.Budget.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BudgetTest {
    private static List<Duration> ms(long... times) {
        return LongStream.of(times).mapToObj(Duration::ofMillis).toList();
    }

    @Test
    void itIsKeptByAllOrMissedByAllOrNotTold() {
        Budget budget = Budget.of("ready", "2s").orElseThrow();
        assertEquals(Verdict.KEPT, budget.judge(ms(1_500, 2_000)));
        assertEquals(Verdict.MISSED, budget.judge(ms(2_001, 5_000)));
        assertEquals(Verdict.NOT_TOLD, budget.judge(ms(1_500, 2_500)));
        assertTrue(budget.tell(ms(1_500, 2_500)).contains("1.50 s, 2.50 s"));
        assertEquals("ready within 2.00 s: kept by all of 2 launches (1.50 s, 2.00 s)", budget.tell(ms(1_500, 2_000)));
        assertEquals("ready within 2.00 s: missed by its only launch (5.00 s)", budget.tell(ms(5_000)));
    }

    @Test
    void timesAreReadOrRefused() {
        assertEquals(Duration.ofMillis(250), Budget.time("250ms"));
        assertEquals(Duration.ofMillis(1_500), Budget.time("1.5 s"));
        assertEquals(Duration.ofMinutes(2), Budget.time("2m"));
        for (String wrong : new String[] {"", "5", "-1s", "1h"}) {
            assertThrows(IllegalArgumentException.class, () -> Budget.time(wrong), wrong);
        }
        assertTrue(Budget.of("ready", " ").isEmpty());
    }
}

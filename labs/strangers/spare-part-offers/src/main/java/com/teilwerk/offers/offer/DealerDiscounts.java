package com.teilwerk.offers.offer;

import java.math.BigDecimal;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** What a dealer gets off the list price, by the part's discount group and the quantity. */
@Component
public class DealerDiscounts {

    private final Map<Character, NavigableMap<Integer, BigDecimal>> percentByQuantity = Map.of(
            'A', steps(1, "5", 5, "8", 20, "12"),
            'B', steps(1, "10", 10, "15", 50, "22.5"),
            'C', steps(1, "0", 4, "2.5"),
            'D', steps(1, "18", 25, "27"));

    public BigDecimal percent(char group, int quantity) {
        NavigableMap<Integer, BigDecimal> steps = percentByQuantity.get(group);
        if (steps == null) {
            return BigDecimal.ZERO;
        }
        Map.Entry<Integer, BigDecimal> step = steps.floorEntry(quantity);
        return step == null ? BigDecimal.ZERO : step.getValue();
    }

    private static NavigableMap<Integer, BigDecimal> steps(Object... quantitiesAndPercents) {
        NavigableMap<Integer, BigDecimal> steps = new TreeMap<>();
        for (int i = 0; i < quantitiesAndPercents.length; i += 2) {
            steps.put((Integer) quantitiesAndPercents[i], new BigDecimal((String) quantitiesAndPercents[i + 1]));
        }
        return steps;
    }
}

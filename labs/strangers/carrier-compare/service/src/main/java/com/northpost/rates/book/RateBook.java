package com.northpost.rates.book;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** All rate cards in force. */
public final class RateBook {

    private final Map<Zone, List<RateCard>> cards = new EnumMap<>(Zone.class);
    private int size;

    void add(RateCard card) {
        cards.computeIfAbsent(card.tariff().zone(), z -> new ArrayList<>()).add(card);
        size++;
    }

    public List<RateCard> cardsFor(Zone zone) {
        return cards.getOrDefault(zone, List.of());
    }

    public TreeSet<String> carriers() {
        TreeSet<String> names = new TreeSet<>();
        cards.values().forEach(list -> list.forEach(card -> names.add(card.tariff().carrier())));
        return names;
    }

    public int size() {
        return size;
    }
}

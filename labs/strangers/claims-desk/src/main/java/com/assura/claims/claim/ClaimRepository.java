package com.assura.claims.claim;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Claims of the current book, filled at the start. */
public final class ClaimRepository {

    private final Map<String, Claim> byNumber = new HashMap<>();
    private final Map<String, List<Claim>> byHolder = new HashMap<>();
    private final Map<Product, List<Claim>> byProduct = new EnumMap<>(Product.class);
    private final Map<String, Words> words = new HashMap<>();

    public void add(Claim claim) {
        byNumber.put(claim.number(), claim);
        byHolder.computeIfAbsent(claim.policyHolder(), h -> new ArrayList<>()).add(claim);
        byProduct.computeIfAbsent(claim.product(), p -> new ArrayList<>()).add(claim);
        words.put(claim.number(), Words.of(claim.description()));
    }

    public Optional<Claim> find(String number) {
        return Optional.ofNullable(byNumber.get(number));
    }

    public List<Claim> ofHolder(String policyHolder) {
        return byHolder.getOrDefault(policyHolder, List.of());
    }

    public List<Claim> ofProduct(Product product) {
        return byProduct.getOrDefault(product, List.of());
    }

    public Words wordsOf(Claim claim) {
        return words.get(claim.number());
    }

    public int size() {
        return byNumber.size();
    }
}

package eu.palettino.quotes.rates;

import java.util.Set;

public record Postcode(String digits) {

    private static final Set<String> ISLANDS = Set.of("25946", "25980", "26548", "26757", "27498", "18565");

    public Postcode {
        if (digits.length() != 5 || !digits.chars().allMatch(Character::isDigit)) {
            throw new IllegalArgumentException("not a postcode: " + digits);
        }
    }

    public int region() {
        return Integer.parseInt(digits, 0, 2, 10);
    }

    public boolean isIsland() {
        return ISLANDS.contains(digits);
    }
}

package fr.cantine.labels.label;

import java.util.List;

public record Label(
        String recipe,
        String title,
        int portions,
        long gramsPerPortion,
        List<Nutrient> perPortion,
        List<AllergenNotice> allergens,
        List<String> unknown) {

    public record Nutrient(String name, double amount, String unit) {
    }

    public record AllergenNotice(String allergen, List<String> from) {
    }
}

package fr.cantine.labels.recipe;

import java.util.List;

public record Recipe(String id, String title, int portions, List<Ingredient> ingredients) {

    public record Ingredient(String foodCode, double grams) {
    }

    public double grams() {
        return ingredients.stream().mapToDouble(Ingredient::grams).sum();
    }
}

package fr.cantine.labels.label;

import fr.cantine.labels.food.Food;
import fr.cantine.labels.label.Label.Nutrient;
import java.util.List;

/** Adds up what the ingredients of a recipe bring along. */
final class NutrientSum {

    private double kilojoules;
    private double fat;
    private double saturates;
    private double carbohydrates;
    private double sugars;
    private double protein;
    private double salt;

    void add(Food food, double grams) {
        double share = grams / 100;
        kilojoules += food.kilojoules() * share;
        fat += food.fat() * share;
        saturates += food.saturates() * share;
        carbohydrates += food.carbohydrates() * share;
        sugars += food.sugars() * share;
        protein += food.protein() * share;
        salt += food.salt() * share;
    }

    List<Nutrient> perPortion(int portions) {
        return List.of(
                new Nutrient("energy", Math.round(kilojoules / portions), "kJ"),
                nutrient("fat", fat, portions),
                nutrient("saturates", saturates, portions),
                nutrient("carbohydrates", carbohydrates, portions),
                nutrient("sugars", sugars, portions),
                nutrient("protein", protein, portions),
                nutrient("salt", salt, portions));
    }

    private static Nutrient nutrient(String name, double sum, int portions) {
        return new Nutrient(name, Math.round(sum / portions * 10) / 10.0, "g");
    }
}

package fr.cantine.labels.food;

import java.util.List;

/** An entry of the food table; nutrients count for 100 g. */
public record Food(
        String code,
        String name,
        double kilojoules,
        double fat,
        double saturates,
        double carbohydrates,
        double sugars,
        double protein,
        double salt,
        List<String> allergens) {
}

package fr.cantine.labels.label;

import fr.cantine.labels.food.Food;
import fr.cantine.labels.food.FoodTableClient;
import fr.cantine.labels.label.Label.AllergenNotice;
import fr.cantine.labels.recipe.Recipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

@Service
public class LabelService {

    private final FoodTableClient foodTable;

    public LabelService(FoodTableClient foodTable) {
        this.foodTable = foodTable;
    }

    public Mono<Label> label(Recipe recipe, int portions) {
        List<String> codes = recipe.ingredients().stream().map(Recipe.Ingredient::foodCode).distinct().toList();
        return foodTable.foods(codes).map(foods -> assemble(recipe, portions, foods));
    }

    private static Label assemble(Recipe recipe, int portions, Map<String, Food> foods) {
        NutrientSum sum = new NutrientSum();
        Map<String, List<String>> allergens = new TreeMap<>();
        List<String> unknown = new ArrayList<>();
        for (Recipe.Ingredient ingredient : recipe.ingredients()) {
            Food food = foods.get(ingredient.foodCode());
            if (food == null) {
                unknown.add(ingredient.foodCode());
                continue;
            }
            sum.add(food, ingredient.grams());
            for (String allergen : food.allergens()) {
                allergens.computeIfAbsent(allergen, key -> new ArrayList<>()).add(food.name());
            }
        }
        List<AllergenNotice> notices = allergens.entrySet().stream()
                .map(found -> new AllergenNotice(found.getKey(), found.getValue()))
                .toList();
        return new Label(recipe.id(), recipe.title(), portions, Math.round(recipe.grams() / portions),
                sum.perPortion(portions), notices, unknown);
    }
}

package fr.cantine.labels.recipe;

import fr.cantine.labels.recipe.Recipe.Ingredient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** What the canteens cook. */
@Component
public class RecipeBook {

    private final Map<String, Recipe> recipes = new LinkedHashMap<>();

    public RecipeBook() {
        add("quiche", "Leek quiche", 8, "F100:250 F110:125 F120:240 F111:200 F112:150 F133:600 F132:120 F113:140 "
                + "F143:8 F144:2 F142:20 F136:10 F171:12");
        add("blanquette", "Chicken blanquette", 10, "F152:1500 F131:400 F132:250 F130:200 F133:200 F110:80 F100:80 "
                + "F111:200 F120:60 F141:250 F143:18 F144:3 F170:4 F172:1");
        add("bourguignon", "Beef bourguignon", 12, "F153:2200 F131:500 F132:400 F136:30 F141:750 F142:60 F100:60 "
                + "F135:200 F143:20 F144:4 F170:6 F172:2");
        add("salmon-bowl", "Salmon bowl", 4, "F150:500 F134:400 F131:150 F161:60 F162:20 F142:30 F145:10");
        add("financiers", "Financiers", 20, "F160:150 F100:60 F110:150 F120:130 F145:180 F143:1");
    }

    private void add(String id, String title, int portions, String ingredients) {
        List<Ingredient> list = new ArrayList<>();
        for (String ingredient : ingredients.split(" ")) {
            String[] parts = ingredient.split(":");
            list.add(new Ingredient(parts[0], Double.parseDouble(parts[1])));
        }
        recipes.put(id, new Recipe(id, title, portions, List.copyOf(list)));
    }

    public Optional<Recipe> find(String id) {
        return Optional.ofNullable(recipes.get(id));
    }

    public List<String> ids() {
        return List.copyOf(recipes.keySet());
    }
}

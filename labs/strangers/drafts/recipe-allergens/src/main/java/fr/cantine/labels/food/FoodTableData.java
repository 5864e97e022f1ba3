package fr.cantine.labels.food;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The part of the food table that the canteens cook with. */
final class FoodTableData {

    private final Map<String, Food> foods = new HashMap<>();

    FoodTableData() {
        add("F100", "Wheat flour", 1448, 1.0, 0.2, 72.0, 0.7, 10.6, 0.01, "gluten");
        add("F101", "Rye flour", 1360, 1.3, 0.2, 67.0, 1.0, 8.8, 0.01, "gluten");
        add("F110", "Butter", 3060, 82.0, 54.0, 0.7, 0.7, 0.7, 0.02, "milk");
        add("F111", "Cream", 1230, 30.0, 20.0, 3.1, 3.1, 2.4, 0.08, "milk");
        add("F112", "Milk", 268, 3.6, 2.4, 4.7, 4.7, 3.4, 0.11, "milk");
        add("F113", "Comté", 1710, 34.6, 21.0, 0.5, 0.1, 27.0, 0.82, "milk");
        add("F120", "Egg", 588, 9.8, 2.6, 0.3, 0.3, 12.7, 0.31, "egg");
        add("F130", "Celeriac", 113, 0.3, 0.1, 2.3, 1.8, 1.6, 0.19, "celery");
        add("F131", "Carrot", 151, 0.2, 0.0, 6.6, 6.0, 0.8, 0.09);
        add("F132", "Onion", 142, 0.2, 0.0, 6.3, 5.7, 1.2, 0.01);
        add("F133", "Leek", 113, 0.3, 0.0, 3.2, 3.0, 1.8, 0.02);
        add("F134", "Potato", 320, 0.1, 0.0, 16.0, 0.8, 2.0, 0.01);
        add("F135", "Tomato", 79, 0.2, 0.0, 2.6, 2.5, 0.9, 0.01);
        add("F136", "Garlic", 620, 0.6, 0.1, 28.4, 1.0, 6.1, 0.03);
        add("F140", "Mustard", 640, 10.0, 0.6, 6.0, 4.0, 6.9, 5.70, "mustard", "sulphites");
        add("F141", "White wine", 310, 0.0, 0.0, 2.0, 0.6, 0.1, 0.01, "sulphites");
        add("F142", "Rapeseed oil", 3700, 100.0, 7.0, 0.0, 0.0, 0.0, 0.0);
        add("F143", "Salt", 0, 0.0, 0.0, 0.0, 0.0, 0.0, 100.0);
        add("F144", "Pepper", 1400, 3.3, 1.0, 52.0, 0.6, 10.9, 0.11);
        add("F145", "Sugar", 1700, 0.0, 0.0, 100.0, 100.0, 0.0, 0.0);
        add("F150", "Salmon", 840, 13.6, 2.4, 0.0, 0.0, 20.0, 0.12, "fish");
        add("F151", "Prawns", 380, 0.9, 0.2, 0.2, 0.0, 20.6, 0.40, "crustaceans");
        add("F152", "Chicken breast", 460, 1.5, 0.4, 0.0, 0.0, 23.5, 0.15);
        add("F153", "Beef shoulder", 640, 7.0, 2.9, 0.0, 0.0, 22.0, 0.17);
        add("F160", "Almonds", 2500, 53.0, 4.1, 5.7, 4.3, 21.0, 0.01, "nuts");
        add("F161", "Soy sauce", 280, 0.1, 0.0, 8.0, 1.7, 8.1, 14.50, "soy", "gluten");
        add("F162", "Sesame", 2500, 50.0, 7.0, 10.0, 0.3, 18.0, 0.03, "sesame");
        add("F170", "Thyme", 430, 1.7, 0.5, 15.0, 0.0, 5.6, 0.02);
        add("F171", "Parsley", 180, 0.4, 0.1, 4.0, 0.9, 3.0, 0.08);
        add("F172", "Bay leaf", 1310, 8.4, 2.3, 48.0, 0.0, 7.6, 0.06);
    }

    private void add(String code, String name, double kilojoules, double fat, double saturates, double carbohydrates,
            double sugars, double protein, double salt, String... allergens) {
        foods.put(code, new Food(code, name, kilojoules, fat, saturates, carbohydrates, sugars, protein, salt,
                List.of(allergens)));
    }

    Food find(String code) {
        return foods.get(code);
    }
}

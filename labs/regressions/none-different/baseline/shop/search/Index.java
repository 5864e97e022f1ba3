package shop.search;

import java.util.HashMap;
import java.util.Map;

/** Articles by name. */
final class Index {
    private final Map<String, Integer> articles = new HashMap<>();

    Index(int most) {
        for (int i = 0; i < most; i++) {
            articles.put("article " + i, i);
        }
    }

    String find(String name) {
        return name + " at " + articles.get(name);
    }
}

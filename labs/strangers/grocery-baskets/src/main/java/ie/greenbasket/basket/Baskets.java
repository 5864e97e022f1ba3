package ie.greenbasket.basket;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

import jakarta.enterprise.context.ApplicationScoped;

import ie.greenbasket.assortment.ArticleNumbers;
import ie.greenbasket.assortment.Assortments;

/** The standing baskets of our subscribers. */
@ApplicationScoped
public class Baskets {

    private final Map<String, Basket> baskets = new ConcurrentHashMap<>();

    public Baskets() {
        Random random = new Random(77);
        for (int i = 0; i < 400; i++) {
            String id = "weekly-" + i;
            List<BasketLine> lines = new ArrayList<>();
            int count = 8 + random.nextInt(14);
            for (int line = 0; line < count; line++) {
                lines.add(new BasketLine(ArticleNumbers.own(random.nextInt(Assortments.ARTICLES)),
                        1 + random.nextInt(5)));
            }
            baskets.put(id, new Basket(id, lines));
        }
    }

    public Optional<Basket> find(String id) {
        return Optional.ofNullable(baskets.get(id));
    }
}

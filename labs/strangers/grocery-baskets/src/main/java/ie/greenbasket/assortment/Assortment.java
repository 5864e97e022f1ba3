package ie.greenbasket.assortment;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one store sells. */
public final class Assortment {

    private final String store;
    private final LocalDate validFrom;
    private final List<Article> articles;
    private final Map<String, Article> byEan = new HashMap<>();

    public Assortment(String store, LocalDate validFrom, List<Article> articles) {
        this.store = store;
        this.validFrom = validFrom;
        this.articles = List.copyOf(articles);
        for (Article article : this.articles) {
            byEan.put(article.ean(), article);
        }
    }

    public String store() {
        return store;
    }

    public LocalDate validFrom() {
        return validFrom;
    }

    public int size() {
        return articles.size();
    }

    public Optional<Article> find(String ean) {
        return Optional.ofNullable(byEan.get(ean));
    }
}

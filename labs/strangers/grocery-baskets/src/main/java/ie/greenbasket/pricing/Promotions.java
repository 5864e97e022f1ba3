package ie.greenbasket.pricing;

import jakarta.enterprise.context.ApplicationScoped;

import ie.greenbasket.assortment.Article;

@ApplicationScoped
public class Promotions {

    /** Three for two on bread and brack, a tenth off cheddar from two pieces on. */
    public int discount(Article article, int quantity) {
        if (article.name().startsWith("Soda bread") || article.name().startsWith("Barmbrack")) {
            return quantity / 3 * article.cents();
        }
        if (article.name().startsWith("Cheddar") && quantity >= 2) {
            return quantity * article.cents() / 10;
        }
        return 0;
    }
}

package ie.greenbasket.pricing;

import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;

import org.jboss.logging.Logger;

import ie.greenbasket.assortment.Article;
import ie.greenbasket.basket.BasketLine;

@ApplicationScoped
public class PricingService {

    private static final Logger LOG = Logger.getLogger(PricingService.class);

    private final Promotions promotions;

    public PricingService(Promotions promotions) {
        this.promotions = promotions;
    }

    public PricedBasket price(@NotNull @Valid PricingRequest request) {
        List<PricedLine> lines = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (BasketLine line : request.basket().lines()) {
            Article article = request.assortment().find(line.ean()).orElse(null);
            if (article == null) {
                missing.add(line.ean());
                continue;
            }
            lines.add(new PricedLine(article, line.quantity(), article.cents() * line.quantity(),
                    article.depositCents() * line.quantity(), promotions.discount(article, line.quantity())));
        }
        PricedBasket priced = new PricedBasket(request.basket().id(), request.store(), lines, missing);
        if (!priced.complete()) {
            LOG.infof("%s lacks %d articles of %s", request.store(), missing.size(), request.basket().id());
        }
        return priced;
    }
}

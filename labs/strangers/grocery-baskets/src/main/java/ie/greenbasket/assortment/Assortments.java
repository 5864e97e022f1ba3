package ie.greenbasket.assortment;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

@ApplicationScoped
public class Assortments {

    private static final Logger LOG = Logger.getLogger(Assortments.class);

    private static final String[] KINDS = {"Oat milk", "Soda bread", "Cheddar", "Carrots", "Porridge", "Apple juice",
            "Butter", "Rashers", "Barmbrack", "Potatoes", "Tea", "Yoghurt"};
    private static final String[] UNITS = {"1 l", "400 g", "1 kg", "6 pieces", "250 g"};

    public static final int ARTICLES = 240;

    private final Map<String, Assortment> byStore = new HashMap<>();

    public Assortments(@ConfigProperty(name = "baskets.stores") List<String> stores) {
        for (String store : stores) {
            byStore.put(store, load(store));
        }
        LOG.infof("assortments of %d stores", byStore.size());
    }

    private static Assortment load(String store) {
        Random random = new Random(store.hashCode());
        List<Article> articles = new ArrayList<>();
        for (int i = 0; i < ARTICLES; i++) {
            String kind = KINDS[i % KINDS.length];
            articles.add(new Article(ArticleNumbers.own(i), kind + " no. " + (1 + i / KINDS.length),
                    UNITS[random.nextInt(UNITS.length)], 85 + random.nextInt(900),
                    VatClass.values()[random.nextInt(3)], random.nextInt(8) == 0 ? 15 : 0));
        }
        return new Assortment(store, LocalDate.of(2026, 11, 23), articles);
    }

    public Assortment of(String store) {
        return byStore.get(store);
    }
}

package ch.helvamed.stock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import ch.helvamed.stock.api.OfferView;
import ch.helvamed.stock.api.StockView;
import ch.helvamed.stock.pharmacy.Pharmacy;
import ch.helvamed.stock.pharmacy.PharmacyRegister;
import ch.helvamed.stock.pharmacy.Town;
import ch.helvamed.stock.wholesale.PriceSheet;
import ch.helvamed.stock.wholesale.StockSheet;
import ch.helvamed.stock.wholesale.Wholesaler;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Singleton
public class StockService {

    private static final Logger LOG = LoggerFactory.getLogger(StockService.class);

    private static final int MAX_OFFERS = 8;

    private final Wholesaler wholesaler;
    private final PharmacyRegister register;

    public StockService(Wholesaler wholesaler, PharmacyRegister register) {
        this.wholesaler = wholesaler;
        this.register = register;
    }

    public Optional<StockView> find(String code, String near) {
        Optional<Town> town = register.town(near);
        Optional<PriceSheet> price = wholesaler.price(code);
        if (town.isEmpty() || price.isEmpty()) {
            return Optional.empty();
        }
        List<OfferView> offers = new ArrayList<>();
        wholesaler.stock(code).ifPresent(sheet -> {
            for (StockSheet.Shelf shelf : sheet.shelves()) {
                if (shelf.packs() > 0) {
                    register.byId(shelf.pharmacy()).ifPresent(pharmacy -> offers.add(offer(pharmacy, shelf, town.get())));
                }
            }
        });
        offers.sort(Comparator.comparingInt(OfferView::metres));
        LOG.debug("{} offers of {} near {}", offers.size(), code, near);
        PriceSheet sheet = price.get();
        List<OfferView> nearest = offers.subList(0, Math.min(MAX_OFFERS, offers.size()));
        return Optional.of(new StockView(code, sheet.name(), francs(sheet.rappen()), sheet.prescription(), nearest));
    }

    private static OfferView offer(Pharmacy pharmacy, StockSheet.Shelf shelf, Town town) {
        return new OfferView(pharmacy.name(), pharmacy.town(), pharmacy.distanceTo(town.east(), town.north()),
                shelf.packs(), shelf.expires());
    }

    private static String francs(int rappen) {
        int rest = rappen % 100;
        return "CHF " + rappen / 100 + (rest < 10 ? ".0" : ".") + rest;
    }
}

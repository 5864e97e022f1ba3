package com.kramladen.shelf.availability;

import com.kramladen.shelf.catalogue.Catalogue;
import com.kramladen.shelf.catalogue.Product;
import com.kramladen.shelf.delivery.DeliveryCalendar;
import com.kramladen.shelf.delivery.Promise;
import com.kramladen.shelf.warehouse.StockLevel;
import com.kramladen.shelf.warehouse.StockSource;
import io.vertx.core.Future;

import java.time.LocalDate;
import java.util.Map;

public class AvailabilityService {

    private static final int FEW = 5;

    /** Working days from the warehouse to a store. */
    private static final Map<String, Integer> ROUTES = Map.of(
            "vienna-west", 1, "vienna-north", 1, "graz", 2, "linz", 2, "salzburg", 2, "bregenz", 4);

    private final Catalogue catalogue;
    private final StockSource stock;
    private final DeliveryCalendar calendar = new DeliveryCalendar();

    public AvailabilityService(Catalogue catalogue, StockSource stock) {
        this.catalogue = catalogue;
        this.stock = stock;
    }

    public Future<Availability> of(String sku, String store, LocalDate day) {
        Product product = catalogue.find(sku).orElseThrow(() -> new UnknownProduct(sku));
        int route = ROUTES.getOrDefault(store, 5) + (product.bulky() ? 1 : 0);
        return stock.level(sku)
                .map(level -> new Availability(product, store, promise(product, level, route, day)));
    }

    private Promise promise(Product product, StockLevel level, int route, LocalDate day) {
        int packs = level.free() / product.packSize();
        if (packs > 0) {
            Promise.Kind kind = packs <= FEW ? Promise.Kind.FEW_LEFT : Promise.Kind.IN_STOCK;
            return new Promise(kind, calendar.plusWorkingDays(day, route), packs);
        }
        int arriving = level.incoming() / product.packSize();
        if (arriving > 0) {
            return new Promise(Promise.Kind.ON_ITS_WAY,
                    calendar.plusWorkingDays(day, level.incomingInDays() + route), arriving);
        }
        return new Promise(Promise.Kind.SOLD_OUT, null, 0);
    }
}

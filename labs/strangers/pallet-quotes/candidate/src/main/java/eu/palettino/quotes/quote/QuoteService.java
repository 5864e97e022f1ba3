package eu.palettino.quotes.quote;

import eu.palettino.quotes.carrier.Carrier;
import eu.palettino.quotes.carrier.CarrierRegistry;
import eu.palettino.quotes.rates.RateTables;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

@Service
public class QuoteService {

    private static final Logger log = LoggerFactory.getLogger(QuoteService.class);

    private final CarrierRegistry carriers;
    private final RateTables rateTables;
    private final Surcharges surcharges;

    public QuoteService(CarrierRegistry carriers, RateTables rateTables, Surcharges surcharges) {
        this.carriers = carriers;
        this.rateTables = rateTables;
        this.surcharges = surcharges;
    }

    public List<CarrierQuote> compare(Shipment shipment) {
        List<CarrierQuote> quotes = carriers.all().stream()
                .filter(carrier -> !shipment.touchesIsland() || carrier.servesIslands())
                .map(carrier -> quote(carrier, shipment))
                .flatMap(Optional::stream)
                .sorted()
                .toList();
        log.debug("{} quotes for {}", quotes.size(), shipment);
        return quotes;
    }

    private Optional<CarrierQuote> quote(Carrier carrier, Shipment shipment) {
        return rateTables.of(carrier.code())
                .price(shipment.zone(), shipment.chargeableKg())
                .map(freight -> withSurcharges(carrier, shipment, freight));
    }

    private CarrierQuote withSurcharges(Carrier carrier, Shipment shipment, BigDecimal freight) {
        BigDecimal diesel = surcharges.diesel(carrier, freight);
        BigDecimal island = surcharges.island(carrier, shipment);
        BigDecimal total = freight.add(diesel);
        if (island != null) {
            total = total.add(island);
        }
        return new CarrierQuote(carrier.code(), carrier.name(), freight, diesel, island, total);
    }
}

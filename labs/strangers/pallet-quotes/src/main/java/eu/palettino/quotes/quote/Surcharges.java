package eu.palettino.quotes.quote;

import eu.palettino.quotes.carrier.Carrier;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.springframework.stereotype.Component;

@Component
public class Surcharges {

    private static final BigDecimal HUNDRED = new BigDecimal(100);

    public BigDecimal diesel(Carrier carrier, BigDecimal freight) {
        return freight.multiply(carrier.dieselPercent()).divide(HUNDRED, 2, RoundingMode.HALF_UP);
    }

    public BigDecimal island(Carrier carrier, Shipment shipment) {
        if (!shipment.touchesIsland()) {
            return null;
        }
        return carrier.islandSurcharge().multiply(BigDecimal.valueOf(shipment.pallets()));
    }
}

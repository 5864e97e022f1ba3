package eu.palettino.quotes.carrier;

import java.math.BigDecimal;
import org.springframework.core.io.Resource;

public record Carrier(String code, String name, BigDecimal dieselPercent, BigDecimal islandSurcharge, Resource rates) {

    public boolean servesIslands() {
        return islandSurcharge != null;
    }
}

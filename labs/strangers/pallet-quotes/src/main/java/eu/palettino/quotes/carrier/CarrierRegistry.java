package eu.palettino.quotes.carrier;

import eu.palettino.quotes.config.QuoteProperties;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

@Component
public class CarrierRegistry {

    private final Map<String, Carrier> carriers = new LinkedHashMap<>();

    public CarrierRegistry(QuoteProperties properties) {
        for (QuoteProperties.CarrierSettings settings : properties.carriers()) {
            carriers.put(settings.code(), new Carrier(settings.code(), settings.name(), settings.dieselPercent(),
                    settings.islandSurcharge(), settings.rates()));
        }
    }

    public Collection<Carrier> all() {
        return carriers.values();
    }

    public Carrier get(String code) {
        Carrier carrier = carriers.get(code);
        if (carrier == null) {
            throw new IllegalArgumentException("no carrier " + code);
        }
        return carrier;
    }
}

package eu.palettino.quotes.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.io.Resource;

@ConfigurationProperties("quotes")
public record QuoteProperties(Duration reloadRates, List<CarrierSettings> carriers) {

    public record CarrierSettings(
            String code,
            String name,
            BigDecimal dieselPercent,
            BigDecimal islandSurcharge,
            Resource rates) {
    }
}

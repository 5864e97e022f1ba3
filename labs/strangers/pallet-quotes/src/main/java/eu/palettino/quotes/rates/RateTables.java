package eu.palettino.quotes.rates;

import eu.palettino.quotes.carrier.Carrier;
import eu.palettino.quotes.carrier.CarrierRegistry;
import eu.palettino.quotes.config.CacheConfiguration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
public class RateTables {

    private static final Logger log = LoggerFactory.getLogger(RateTables.class);

    private final CarrierRegistry carriers;
    private final RateTableParser parser;

    public RateTables(CarrierRegistry carriers, RateTableParser parser) {
        this.carriers = carriers;
        this.parser = parser;
    }

    @Cacheable(CacheConfiguration.RATE_TABLES)
    public RateTable of(String carrierCode) {
        Carrier carrier = carriers.get(carrierCode);
        try (BufferedReader csv = new BufferedReader(
                new InputStreamReader(carrier.rates().getInputStream(), StandardCharsets.UTF_8))) {
            RateTable table = parser.parse(carrierCode, csv);
            log.info("{} bands of {} read from {}", table.bands().size(), carrier.name(), carrier.rates());
            return table;
        } catch (IOException e) {
            throw new RateTableException(carrierCode, e);
        }
    }

    @Scheduled(fixedRateString = "${quotes.reload-rates}")
    @CacheEvict(cacheNames = CacheConfiguration.RATE_TABLES, allEntries = true)
    public void forget() {
        log.debug("rate tables will be read again");
    }
}

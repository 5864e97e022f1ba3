package se.skargardslinjen.fares.surcharge;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;

/** The surcharge sheets in force. The council publishes new editions at night. */
@ApplicationScoped
public class SurchargeDirectory {

    private static final Logger LOG = Logger.getLogger(SurchargeDirectory.class);

    private final LoadingCache<SurchargeQuery, SurchargeSheet> sheets;

    public SurchargeDirectory(PortCouncilClient council,
            @ConfigProperty(name = "fares.surcharges.keep-for") Duration keepFor,
            @ConfigProperty(name = "fares.surcharges.max-sheets") long maxSheets) {
        this.sheets = Caffeine.newBuilder()
                .expireAfterWrite(keepFor)
                .maximumSize(maxSheets)
                .build(query -> {
                    SurchargeSheet sheet = council.fetch(query);
                    LOG.debugf("edition %s for %s", sheet.edition(), query);
                    return sheet;
                });
    }

    public SurchargeSheet sheetFor(SurchargeQuery query) {
        return sheets.get(query);
    }
}

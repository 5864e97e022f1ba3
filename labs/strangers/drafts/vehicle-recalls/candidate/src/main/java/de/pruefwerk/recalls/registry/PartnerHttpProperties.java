package de.pruefwerk.recalls.registry;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How a partner is spoken to; the import registries of the neighbours will follow. */
@ConfigurationProperties("partners.registry")
public record PartnerHttpProperties(
        @DefaultValue("") String url,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("5s") Duration responseTimeout,
        @DefaultValue("40") int maxConnections) {
}

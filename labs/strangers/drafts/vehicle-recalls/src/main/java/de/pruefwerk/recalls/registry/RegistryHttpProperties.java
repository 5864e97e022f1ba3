package de.pruefwerk.recalls.registry;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** How the federal recall registry is spoken to. */
@ConfigurationProperties("registry.http")
public record RegistryHttpProperties(
        @DefaultValue("") String url,
        @DefaultValue("2s") Duration connectTimeout,
        @DefaultValue("5s") Duration responseTimeout,
        @DefaultValue("40") int maxConnections) {
}

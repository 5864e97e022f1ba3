package eu.nachtquartier.offers.tenant;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

public final class TenantRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(TenantRegistry.class);

    private final Map<String, TenantSettings> tenants;

    private TenantRegistry(Map<String, TenantSettings> tenants) {
        this.tenants = tenants;
    }

    public static TenantRegistry load(String... names) {
        Map<String, TenantSettings> tenants = new HashMap<>();
        for (String name : names) {
            Properties properties = new Properties();
            try (InputStream stream = TenantRegistry.class.getResourceAsStream("/tenants/" + name + ".properties")) {
                if (stream == null) {
                    throw new IllegalStateException("No settings of tenant " + name);
                }
                properties.load(stream);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            LOG.info("Tenant {} with {} settings", name, properties.size());
            tenants.put(name, new TenantSettings(name, properties));
        }
        return new TenantRegistry(Map.copyOf(tenants));
    }

    public boolean knows(String tenant) {
        return tenants.containsKey(tenant);
    }

    public TenantSettings settings(String tenant) {
        TenantSettings settings = tenants.get(tenant);
        if (settings == null) {
            throw new IllegalArgumentException("unknown tenant " + tenant);
        }
        return settings;
    }
}

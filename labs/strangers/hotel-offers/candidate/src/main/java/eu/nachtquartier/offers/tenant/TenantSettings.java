package eu.nachtquartier.offers.tenant;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** The conditions of one tenant, as the back office exports them. */
public final class TenantSettings {

    private final String tenant;
    private final Map<String, String> values;

    TenantSettings(String tenant, Properties properties) {
        this.tenant = tenant;
        Map<String, String> copy = new HashMap<>();
        properties.forEach((name, value) -> copy.put((String) name, ((String) value).trim()));
        this.values = Map.copyOf(copy);
    }

    public String tenant() {
        return tenant;
    }

    public Map<String, String> asMap() {
        return values;
    }
}

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

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalStateException("Tenant " + tenant + " has no " + name);
        }
        return value;
    }

    public int number(String name) {
        return Integer.parseInt(text(name));
    }

    public int number(String name, String otherwise) {
        String value = values.get(name);
        return value == null ? number(otherwise) : Integer.parseInt(value);
    }
}

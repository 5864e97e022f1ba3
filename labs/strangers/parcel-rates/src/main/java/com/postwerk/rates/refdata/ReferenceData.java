package com.postwerk.rates.refdata;

import io.vertx.core.json.JsonObject;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The tables that pricing looks things up in, as the data team delivers them. */
public class ReferenceData {

    public static final String POSTAL_AREAS = "postal-areas";
    public static final String CARRIERS = "carriers";
    public static final String SURCHARGES = "surcharges";

    static final List<String> TABLES = List.of(POSTAL_AREAS, CARRIERS, SURCHARGES);

    private final Map<String, JsonObject> tables = new HashMap<>();

    public JsonObject table(String name) {
        JsonObject table = tables.get(name);
        if (table == null) {
            throw new IllegalStateException("No reference table " + name);
        }
        return table;
    }

    public void replace(String name, JsonObject table) {
        tables.put(name, table);
    }

    public String edition() {
        return table(CARRIERS).getString("edition", "unknown");
    }
}

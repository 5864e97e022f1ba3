package se.skargardslinjen.fares.surcharge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

public final class SurchargeSheet {

    private final String edition;
    private final Map<String, List<SurchargeRule>> byPort = new HashMap<>();

    @JsonCreator
    public SurchargeSheet(@JsonProperty("edition") String edition, @JsonProperty("rules") List<SurchargeRule> rules) {
        this.edition = edition;
        for (SurchargeRule rule : rules) {
            byPort.computeIfAbsent(rule.port(), port -> new ArrayList<>()).add(rule);
        }
    }

    public String edition() {
        return edition;
    }

    public List<SurchargeRule> rulesOf(String port) {
        return byPort.getOrDefault(port, List.of());
    }
}

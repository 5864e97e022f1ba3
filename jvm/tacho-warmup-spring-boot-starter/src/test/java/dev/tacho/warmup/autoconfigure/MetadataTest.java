package dev.tacho.warmup.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.convert.DurationStyle;

/**
 * Editors know every property: the metadata that the build makes has all of them, with descriptions
 * and defaults.
 */
class MetadataTest {

    private static Map<String, JsonNode> properties() throws IOException {
        try (var file = WarmUpProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            JsonNode properties = new ObjectMapper().readTree(file).get("properties");
            return StreamSupport.stream(properties.spliterator(), false)
                    // Those of the endpoint are the actuator's.
                    .filter(property -> property.get("name").asText().startsWith("tacho."))
                    .collect(Collectors.toMap(property -> property.get("name").asText(), Function.identity()));
        }
    }

    private static String dashed(String name) {
        return "tacho.warmup." + name.replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
    }

    @Test
    void everyPropertyIsDescribed() throws IOException {
        Map<String, JsonNode> described = properties();
        List<String> names = Arrays.stream(WarmUpProperties.class.getRecordComponents()).map(RecordComponent::getName)
                .map(MetadataTest::dashed).toList();
        assertThat(described.keySet()).containsExactlyInAnyOrderElementsOf(names);
        assertThat(names).allMatch(ConfigurationPropertyName::isValid);
        assertThat(described.values()).allSatisfy(property ->
                assertThat(property.path("description").asText()).as(property.get("name").asText())
                        .matches("(?s)[A-Z].{15,}[.]"));
    }

    @Test
    void defaultsAreThoseThatAreBound() throws IOException {
        Map<String, JsonNode> described = properties();
        WarmUpProperties bound = new org.springframework.boot.context.properties.bind.Binder()
                .bindOrCreate("tacho.warmup", WarmUpProperties.class);
        assertThat(described.get("tacho.warmup.at-most").get("defaultValue").asLong()).isEqualTo(bound.atMost());
        assertThat(described.get("tacho.warmup.failures").get("defaultValue").asLong()).isEqualTo(bound.failures());
        assertThat(described.get("tacho.warmup.on-failure").get("defaultValue").asText())
                .isEqualToIgnoringCase(bound.onFailure().name());
        assertThat(DurationStyle.detectAndParse(described.get("tacho.warmup.within").get("defaultValue").asText()))
                .isEqualTo(bound.within());
        assertThat(described.get("tacho.warmup.on-failure").get("type").asText()).endsWith("OnFailure");
    }
}

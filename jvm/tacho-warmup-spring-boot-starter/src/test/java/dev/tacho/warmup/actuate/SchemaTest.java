package dev.tacho.warmup.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tacho.warmup.rule.End;
import dev.tacho.warmup.run.WarmUpProgress;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The endpoint speaks as {@code tacho warm --json} does: by the published schema. */
class SchemaTest {

    private static JsonNode schema() throws IOException {
        try (var file = SchemaTest.class.getResourceAsStream("/schema/warm.json")) {
            return new ObjectMapper().readTree(file);
        }
    }

    @Test
    void endsHaveTheSameWords() throws IOException {
        var words = StreamSupport.stream(schema().at("/$defs/End/oneOf").spliterator(), false)
                .map(end -> end.get("const").asText()).toList();
        assertThat(Arrays.stream(End.values()).map(End::word)).containsExactlyInAnyOrderElementsOf(words);
    }

    @Test
    void fieldsHaveTheSameNames() throws IOException {
        Map<String, Object> waiting = new WarmUpEndpoint(new WarmUpProgress()).warmUp();
        assertThat(waiting).containsEntry("state", "waiting").containsEntry("ready", false).doesNotContainKey("end");
        var known = new java.util.HashSet<String>();
        schema().get("properties").fieldNames().forEachRemaining(known::add);
        known.add("state");
        assertThat(known).containsAll(waiting.keySet());
        var missing = new java.util.HashSet<String>();
        schema().get("required").forEach(name -> missing.add(name.asText()));
        missing.removeAll(waiting.keySet());
        assertThat(missing).as("known when it is over").containsExactly("end");
    }
}

package dev.tacho.warmup.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The series to which the rule in Rust is held as well: recorded ones and synthetic ones. */
class SharedVectorsTest {

    record Vector(String name, double[] responseMs, List<Integer> segments, JsonNode settled) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Vector> vectors() throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Vector> vectors = new ArrayList<>();
        try (var file = Objects.requireNonNull(SharedVectorsTest.class.getResourceAsStream("/vectors/settling.jsonl"));
                var lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                vectors.add(vector(json.readTree(line)));
            }
        }
        return vectors.stream();
    }

    private static Vector vector(JsonNode line) {
        DoubleStream values = elements(line.get("microseconds")).mapToDouble(us -> us.asLong() / 1_000.0);
        List<Integer> segments = elements(line.get("segments")).map(JsonNode::asInt).toList();
        return new Vector(line.get("name").asText(), values.toArray(), segments, line.get("settled"));
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    @Test
    void thereAreRecordedAndSyntheticOnes() throws IOException {
        assertThat(vectors().map(Vector::name)).anyMatch(name -> name.startsWith("recorded: "))
                .anyMatch(name -> name.startsWith("synthetic: ")).hasSizeGreaterThan(15);
        assertThat(vectors().filter(vector -> vector.settled().isNull())).hasSizeGreaterThan(2);
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void theSegmentsAreThoseOfTheRuleInRust(Vector vector) {
        List<Segment> segments = Segments.of(Outliers.smoothedLogarithms(vector.responseMs()));
        assertThat(segments.stream().map(Segment::from).toList()).isEqualTo(vector.segments());
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void itSettlesAfterTheSameRequestAsInRust(Vector vector) {
        Settling settling = new Settling();
        Optional<Settled> settled = Optional.empty();
        for (int i = 0; i < vector.responseMs().length && settled.isEmpty(); i++) {
            settled = settling.push(vector.responseMs()[i]);
        }
        if (vector.settled().isNull()) {
            assertThat(settled).isEmpty();
            return;
        }
        assertThat(settled).isPresent();
        assertThat(settled.get().knownAfter()).isEqualTo(vector.settled().get("known_after").asInt());
        assertThat(settled.get().from()).isEqualTo(vector.settled().get("from").asInt());
        assertThat(settled.get().typicalMs()).isEqualTo(vector.settled().get("typical_ms").asDouble(), within(1e-5));
    }

    @Test
    void aSeriesThatHasSettledGoesOnSayingSo() {
        Settling settling = new Settling();
        IntStream.range(0, 200).forEach(i -> settling.push(2.0));
        Settled settled = settling.settled().orElseThrow();
        assertThat(settling.push(900.0)).contains(settled);
        assertThat(settled.knownAfter()).isEqualTo(200);
    }
}

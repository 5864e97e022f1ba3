package dev.tacho.warmup.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.net.URI;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestMixTest {

    private static WarmUpRequest get(String path, int weight) {
        return WarmUpRequest.of("", "GET", path, List.of(), new byte[0], weight, OptionalInt.empty());
    }

    private static List<String> first(int count, RequestMix mix) {
        return Stream.generate(() -> mix.next().request().path()).limit(count).toList();
    }

    @Test
    void eachIsSentAsOftenAsItsWeightSaysAndNotInARow() {
        RequestMix mix = new RequestMix(List.of(get("/a", 3), get("/b", 1)));
        assertThat(first(8, mix)).containsExactly("/a", "/a", "/b", "/a", "/a", "/a", "/b", "/a");
    }

    @Test
    void requestsOfOneNameAreOneKind() {
        RequestMix mix = new RequestMix(List.of(get("/a?x=1", 1), get("/a?x=2", 1), get("/b", 1)));
        assertThat(mix.kinds()).containsExactly("GET /a", "GET /b");
        assertThat(IntStream.range(0, 3).map(i -> mix.next().kind()).toArray()).containsExactly(0, 0, 1);
        assertThat(first(3, mix)).containsExactly("/a?x=1", "/a?x=2", "/b");
    }

    @Test
    void kindsBeyondTheHundredthAreCountedTogether() {
        RequestMix mix = new RequestMix(IntStream.range(0, 150).mapToObj(i -> get("/" + i, 1)).toList());
        assertThat(mix.kinds()).hasSize(100).endsWith("GET /98", "others");
        int[] kinds = IntStream.range(0, 150).map(i -> mix.next().kind()).toArray();
        assertThat(kinds[98]).isEqualTo(98);
        assertThat(kinds[99]).isEqualTo(99);
        assertThat(kinds[149]).isEqualTo(99);
    }

    @Test
    void noPathLeadsToAnotherServer() {
        URI self = URI.create("http://127.0.0.1:8080");
        assertThat(get("//elsewhere.example/a?b=c", 1).at(self).build().uri())
                .isEqualTo(URI.create("http://127.0.0.1:8080//elsewhere.example/a?b=c"));
    }

    @Test
    void whatCannotBeSentSaysWhatToWrite() {
        assertThatThrownBy(() -> get("owners", 1)).isInstanceOf(RequestException.class)
                .hasMessageContaining("write for example /owners");
        assertThatThrownBy(() -> get("/owners", 0)).hasMessageContaining("give 1 or more");
        assertThatThrownBy(() -> get("/a b", 1)).isInstanceOf(RequestException.class)
                .hasMessageContaining("cannot be sent");
        assertThatThrownBy(() -> WarmUpRequest.of("", "GET", "/", List.of(new Header("Host", "elsewhere")), new byte[0],
                1,
                OptionalInt.empty())).isInstanceOf(RequestException.class).hasMessageContaining("Host");
    }
}

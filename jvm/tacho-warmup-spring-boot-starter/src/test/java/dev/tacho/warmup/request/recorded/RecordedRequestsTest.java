package dev.tacho.warmup.request.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.FileSystemResource;

class RecordedRequestsTest {

    @TempDir
    Path folder;

    private List<WarmUpRequest> read(String text) throws IOException {
        Path file = folder.resolve("targets");
        Files.writeString(file, text);
        return new RecordedRequests(new FileSystemResource(file)).read();
    }

    @Test
    void targetsAsTextHaveHeadersAndBodiesInFilesBesideThem() throws IOException {
        Files.writeString(folder.resolve("thing.json"), "{\"a\": 1}");
        List<WarmUpRequest> requests = read("""
                # recorded on a Tuesday
                POST http://10.0.0.7:8080/things?dry=1
                Content-Type: application/json
                Host: shop.example
                X-Tenant: a:b
                @thing.json

                GET https://shop.example
                # a comment
                X-A: 1
                GET /things/1

                """);
        assertThat(requests).extracting(WarmUpRequest::name).containsExactly("POST /things", "GET /", "GET /things/1");
        assertThat(requests.get(0).path()).isEqualTo("/things?dry=1");
        assertThat(requests.get(0).headers())
                .containsExactly(new Header("Content-Type", "application/json"), new Header("X-Tenant", "a:b"));
        assertThat(new String(requests.get(0).body())).isEqualTo("{\"a\": 1}");
        assertThat(requests.get(1).headers()).containsExactly(new Header("X-A", "1"));
        assertThat(requests.get(2).body()).isEmpty();
    }

    @Test
    void targetsAsJsonHaveABodyInBase64() throws IOException {
        List<WarmUpRequest> requests = read("""
                {"method":"POST","url":"http://127.0.0.1:8080/things","header":{"X-A":["b","c"]},"body":"eyJhIjoxfQ=="}

                {"method":"GET","url":"/things/1"}
                """);
        assertThat(requests).extracting(WarmUpRequest::name).containsExactly("POST /things", "GET /things/1");
        assertThat(requests.get(0).headers()).containsExactly(new Header("X-A", "b"), new Header("X-A", "c"));
        assertThat(new String(requests.get(0).body())).isEqualTo("{\"a\":1}");
    }

    @Test
    void whatIsNoneSaysWhereAndWhatToWrite() {
        assertThatThrownBy(() -> read("GET /a\n\nfetch /b\n")).isInstanceOf(RequestException.class)
                .hasMessageContaining("line 3").hasMessageContaining("GET http://127.0.0.1:8080/path");
        assertThatThrownBy(() -> read("GET /a\nno header\n")).hasMessageContaining("line 1")
                .hasMessageContaining("Name: value");
        assertThatThrownBy(() -> read("POST /a\n@gone.json\n")).isInstanceOf(RequestException.class)
                .hasMessageContaining("gone.json");
        assertThatThrownBy(() -> read("{\"method\":\"GET\"}\n")).hasMessageContaining("line 1")
                .hasMessageContaining("\"url\"");
        assertThatThrownBy(() -> read("{\"method\":\n")).isInstanceOf(RequestException.class)
                .hasMessageContaining("line 1");
        assertThatThrownBy(() -> read("{\"method\":\"GET\",\"url\":\"/\",\"body\":\"!\"}\n"))
                .isInstanceOf(RequestException.class).hasMessageContaining("line 1");
        assertThatThrownBy(() -> read("# nothing\n")).isInstanceOf(RequestException.class)
                .hasMessageContaining("no request");
        assertThatThrownBy(() -> new RecordedRequests(new FileSystemResource(folder.resolve("nowhere"))).read())
                .isInstanceOf(RequestException.class).hasMessageContaining("cannot be read");
    }
}

package dev.tacho.warmup.request.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;

class OpenApiRequestsTest {

    private static final String PETS = """
            openapi: 3.0.3
            servers:
              - url: https://api.example.com/{version}/
                variables:
                  version: {default: v2}
            paths:
              /pets/{petId}:
                parameters:
                  - {name: petId, in: path, required: true, schema: {type: integer, example: 7}}
                get:
                  parameters:
                    - {name: expand, in: query, schema: {type: array}, example: [owner, visits]}
                    - {name: page, in: query, schema: {type: integer, default: 0}}
                    - {name: X-Tenant, in: header, required: true, schema: {enum: [a, b]}}
                    - {name: session, in: cookie, example: s1}
                delete: {}
              /pets:
                post:
                  requestBody:
                    required: true
                    content:
                      application/xml: {example: <pet/>}
                      application/json: {schema: {$ref: '#/components/schemas/Pet'}}
                head: {}
              /owners/{name}:
                get:
                  parameters:
                    - {name: name, in: path, required: true, example: a/b c}
              /unknown/{id}:
                get:
                  parameters:
                    - {name: id, in: path, required: true, schema: {type: string}}
            components:
              schemas:
                Pet:
                  required: [name, tags]
                  properties:
                    id: {type: integer}
                    name: {type: string, example: Rex}
                    tags: {type: array, items: {type: string, enum: [dog]}}
                    parent: {$ref: '#/components/schemas/Pet'}
            """;

    private static List<WarmUpRequest> read(String document, String... methods) {
        return new OpenApiRequests(new ByteArrayResource(document.getBytes(StandardCharsets.UTF_8)), List.of(methods))
                .read();
    }

    @Test
    void operationsThatOnlyReadAreTakenWithTheirExamples() {
        List<WarmUpRequest> requests = read(PETS, "GET", "HEAD");
        assertThat(requests).extracting(WarmUpRequest::name)
                .containsExactly("GET /pets/{petId}", "HEAD /pets", "GET /owners/{name}");
        assertThat(requests).extracting(WarmUpRequest::path)
                .containsExactly("/v2/pets/7?expand=owner&expand=visits", "/v2/pets", "/v2/owners/a%2Fb%20c");
        assertThat(requests.get(0).headers())
                .containsExactly(new Header("X-Tenant", "a"), new Header("Cookie", "session=s1"));
    }

    @Test
    void othersWhenTheyAreAskedForWithABodyOfTheExamplesOfItsParts() {
        List<WarmUpRequest> requests = read(PETS, "post");
        assertThat(requests).singleElement().satisfies(post -> {
            assertThat(post.method()).isEqualTo("POST");
            assertThat(new String(post.body())).isEqualTo("{\"name\":\"Rex\",\"tags\":[\"dog\"]}");
            assertThat(post.headers()).containsExactly(new Header("Content-Type", "application/json"));
        });
    }

    @Test
    void aDocumentMayBeInJson() {
        String json = """
                {"openapi": "3.1.0", "paths": {
                \t"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/q~1r"}]},
                \t\t"post": {"requestBody": {"content": {"text/plain": {"examples": {"one": {"value": "hello"}}}}}}}},
                 "components": {"parameters": {"q/r": {"name": "q", "in": "query", "example": "x&y"}}}}
                """;
        assertThat(read(json, "GET", "POST")).extracting(WarmUpRequest::path).containsExactly("/a?q=x%26y", "/a");
        assertThat(new String(read(json, "POST").get(0).body())).isEqualTo("hello");
    }

    @Test
    void aPathWhoseReferenceLeadsNowhereIsLeftOutAlone() {
        String document = """
                openapi: 3.1.0
                paths:
                  /gone: {$ref: '#/components/pathItems/gone'}
                  /elsewhere: {$ref: 'other.yaml#/paths/a'}
                  /circle: {$ref: '#/paths/~1circle'}
                  /there: {$ref: '#/components/pathItems/there'}
                  /plain: {get: {}}
                components:
                  pathItems:
                    there: {get: {}}
                """;
        assertThat(read(document, "GET")).extracting(WarmUpRequest::path).containsExactly("/there", "/plain");
    }

    @Test
    void whatIsNoneSaysSo() {
        assertThatThrownBy(() -> read("swagger: '2.0'", "GET")).isInstanceOf(RequestException.class)
                .hasMessageContaining("openapi: 3");
        assertThatThrownBy(() -> read("- a", "GET")).isInstanceOf(RequestException.class)
                .hasMessageContaining("openapi: 3");
        assertThatThrownBy(() -> read("a: [", "GET")).isInstanceOf(RequestException.class)
                .hasMessageContaining("no YAML");
        assertThatThrownBy(() -> read("{\"a\": ", "GET")).isInstanceOf(RequestException.class)
                .hasMessageContaining("no JSON");
        assertThatThrownBy(() -> read("openapi: 3.0.0\npaths: {/a: {delete: {}}}", "GET"))
                .isInstanceOf(RequestException.class)
                .hasMessageContaining("no operation");
        // References that lead in circles or nowhere leave the operation out.
        assertThatThrownBy(() -> read(
                "openapi: 3.0.0\npaths: {/a: {get: {parameters: [{$ref: '#/x'}]}}}\nx: {$ref: '#/x'}", "GET"))
                .isInstanceOf(RequestException.class).hasMessageContaining("no operation");
    }
}

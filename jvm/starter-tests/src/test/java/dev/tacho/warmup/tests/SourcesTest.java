package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.WarmUp;
import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport;
import dev.tacho.warmup.run.WarmUpReport.KindReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Requests come from annotations, an OpenAPI document and recorded files as well, and all of them
 * are answered.
 */
class SourcesTest {

    /** With requests on its methods. */
    @RestController
    @RequestMapping("/pets")
    static class Annotated {

        final Set<String> seen = ConcurrentHashMap.newKeySet();

        @WarmUp(path = "/pets/7")
        @WarmUp(path = "/pets/8?full=true", weight = 2)
        @GetMapping("/{id}")
        String pet(@PathVariable("id") int id) {
            seen.add("pet " + id);
            return "pet";
        }

        @WarmUp(body = "Rex", headers = "X-Tenant: warm")
        @PostMapping(consumes = MediaType.TEXT_PLAIN_VALUE)
        String add(@RequestBody String name, @RequestHeader("X-Tenant") String tenant,
                @RequestHeader("Authorization") String authorization) {
            seen.add(tenant + " " + name + " " + authorization);
            return "added";
        }
    }

    @Test
    @Tag("quick")
    void methodsOfControllersSayWhatWarmsThem() throws Exception {
        try (Running service = Running.service(List.of(Service.class, Annotated.class), "tacho.warmup.at-most=40",
                "tacho.warmup.headers.Authorization=Bearer t", "tacho.warmup.headers.Content-Type=text/plain")) {
            service.context();
            assertThat(service.bean(Annotated.class).seen)
                    .containsExactlyInAnyOrder("pet 7", "pet 8", "warm Rex Bearer t");
            WarmUpReport report = service.bean(WarmUpProgress.class).report();
            assertThat(report.failed()).isZero();
            assertThat(report.requests()).extracting(KindReport::name)
                    .containsExactlyInAnyOrder("GET /pets/{id}", "POST /pets");
            assertThat(report.requests()).extracting(KindReport::answered).containsExactlyInAnyOrder(30L, 10L);
        }
    }

    @Test
    void soDoFiles(@TempDir Path folder) throws Exception {
        Path openApi = folder.resolve("openapi.yaml");
        Files.writeString(openApi, """
                openapi: 3.0.3
                paths:
                  /pets/{id}:
                    get:
                      parameters: [{name: id, in: path, required: true, example: 9}]
                  /broken:
                    delete: {}
                """);
        Path targets = folder.resolve("targets.txt");
        Files.writeString(targets,
                "GET http://10.0.0.7/work\n\nPOST http://10.0.0.7/orders\nX-Tenant: t\n@order.txt\n");
        Files.writeString(folder.resolve("order.txt"), "cat food");
        try (Running service = Running.service(List.of(Service.class, Unannotated.class), "tacho.warmup.at-most=30",
                "tacho.warmup.open-api=file:" + openApi, "tacho.warmup.targets=file:" + targets)) {
            service.context();
            WarmUpReport report = service.bean(WarmUpProgress.class).report();
            assertThat(report.lastFailure()).isNull();
            assertThat(report.requests()).extracting(KindReport::name)
                    .containsExactlyInAnyOrder("GET /pets/{id}", "GET /work", "POST /orders");
            assertThat(service.bean(Service.Controller.class).posted).isEqualTo("t: cat food");
            assertThat(service.bean(Unannotated.class).last).isEqualTo(9);
        }
    }

    /** Without a request of its own. */
    @RestController
    static class Unannotated {

        volatile int last;

        @GetMapping("/pets/{id}")
        String pet(@PathVariable("id") int id) {
            last = id;
            return "pet";
        }
    }
}

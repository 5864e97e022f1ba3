package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport.KindReport;
import org.junit.jupiter.api.Test;

/** Requests of the configuration are sent as they are written, as often as their weights say. */
class ConfiguredRequestsTest {

    @Test
    void aRequestHasMethodHeadersBodyAndWeight() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work?full=true",
                "tacho.warmup.requests[0].weight=3", "tacho.warmup.requests[1].method=post",
                "tacho.warmup.requests[1].path=/orders", "tacho.warmup.requests[1].headers.X-Tenant=warm",
                "tacho.warmup.requests[1].body={\"pet\": 7}", "tacho.warmup.requests[1].status=201",
                "tacho.warmup.requests[1].name=order", "tacho.warmup.at-most=40")) {
            service.context();
            assertThat(service.bean(Service.Controller.class).posted).isEqualTo("warm: {\"pet\": 7}");
            assertThat(service.bean(WarmUpProgress.class).report().requests())
                    .extracting(KindReport::name, KindReport::answered, KindReport::failed)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("GET /work", 30L, 0L),
                            org.assertj.core.groups.Tuple.tuple("order", 10L, 0L));
        }
    }

    @Test
    void whatCannotBeBoundEndsTheStartAndSaysWhatToWrite() throws Exception {
        try (Running service = Running.service("tacho.warmup.requests[0].method=GET")) {
            assertThat(service.failure()).hasRootCauseMessage(
                    "a request of tacho.warmup.requests has no path; give one such as /owners");
        }
    }
}

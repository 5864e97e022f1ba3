package io.stromfluss.readings.web;

import io.stromfluss.readings.export.ConsumptionTotal;
import io.stromfluss.readings.export.ExportService;
import io.stromfluss.readings.export.ReadingRow;

import java.time.LocalDate;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@RestController
@RequestMapping("/meters/{meter}")
public class ReadingController {

    private final ExportService exports;

    public ReadingController(ExportService exports) {
        this.exports = exports;
    }

    @GetMapping(path = "/readings", produces = MediaType.APPLICATION_NDJSON_VALUE)
    public Flux<ReadingRow> readings(@PathVariable String meter, @RequestParam LocalDate from,
            @RequestParam(defaultValue = "1") int days) {
        return exports.rows(meter, from, days);
    }

    @GetMapping("/total")
    public Mono<ConsumptionTotal> total(@PathVariable String meter, @RequestParam LocalDate from,
            @RequestParam(defaultValue = "1") int days) {
        return exports.total(meter, from, days);
    }
}

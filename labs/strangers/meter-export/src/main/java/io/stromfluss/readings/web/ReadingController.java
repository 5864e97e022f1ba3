package io.stromfluss.readings.web;

import io.stromfluss.readings.export.ConsumptionTotal;
import io.stromfluss.readings.export.ExportService;
import io.stromfluss.readings.export.NdjsonWriter;

import java.time.LocalDate;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
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
    private final NdjsonWriter ndjson;

    public ReadingController(ExportService exports, NdjsonWriter ndjson) {
        this.exports = exports;
        this.ndjson = ndjson;
    }

    @GetMapping("/readings")
    public ResponseEntity<Flux<DataBuffer>> readings(@PathVariable String meter, @RequestParam LocalDate from,
            @RequestParam(defaultValue = "1") int days) {
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_NDJSON)
                .body(ndjson.write(exports.rows(meter, from, days)));
    }

    @GetMapping("/total")
    public Mono<ConsumptionTotal> total(@PathVariable String meter, @RequestParam LocalDate from,
            @RequestParam(defaultValue = "1") int days) {
        return exports.total(meter, from, days);
    }
}

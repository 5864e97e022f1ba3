package io.stromfluss.readings.export;

import io.stromfluss.readings.ReadingProperties;
import io.stromfluss.readings.meter.MeterDirectory;
import io.stromfluss.readings.store.Quality;
import io.stromfluss.readings.store.Reading;
import io.stromfluss.readings.store.ReadingStore;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@Service
public class ExportService {

    private final MeterDirectory meters;
    private final ReadingStore store;
    private final ReadingProperties properties;

    public ExportService(MeterDirectory meters, ReadingStore store, ReadingProperties properties) {
        this.meters = meters;
        this.store = store;
        this.properties = properties;
    }

    public Flux<ReadingRow> rows(String meterId, LocalDate from, int days) {
        return request(meterId, from, days)
                .flatMapIterable(request -> store.find(request.meter(), request.from(), request.days()))
                .filter(reading -> reading.quality() != Quality.MISSING)
                .map(ReadingRow::of);
    }

    public Mono<ConsumptionTotal> total(String meterId, LocalDate from, int days) {
        return request(meterId, from, days).map(request -> {
            long wattHours = 0;
            int estimated = 0;
            for (Reading reading : store.find(request.meter(), from, days)) {
                wattHours += reading.wattHours();
                if (reading.quality() == Quality.ESTIMATED) {
                    estimated++;
                }
            }
            return new ConsumptionTotal(meterId, from, days, BigDecimal.valueOf(wattHours, 3), estimated);
        });
    }

    private Mono<ExportRequest> request(String meterId, LocalDate from, int days) {
        return Mono.fromSupplier(() -> {
            if (days < 1 || days > properties.longestExport().toDays()) {
                throw new ExportTooLongException(days, properties.longestExport());
            }
            return new ExportRequest(meters.get(meterId), from, days);
        });
    }
}

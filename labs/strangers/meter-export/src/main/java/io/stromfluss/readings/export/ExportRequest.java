package io.stromfluss.readings.export;

import io.stromfluss.readings.meter.Meter;

import java.time.LocalDate;

public record ExportRequest(Meter meter, LocalDate from, int days) {
}

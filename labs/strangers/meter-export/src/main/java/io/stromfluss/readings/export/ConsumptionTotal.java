package io.stromfluss.readings.export;

import java.math.BigDecimal;
import java.time.LocalDate;

public record ConsumptionTotal(String meter, LocalDate from, int days, BigDecimal kwh, int estimated) {
}

package eu.fuhrpark.reports.report;

import java.math.BigDecimal;
import java.time.LocalDate;

public record DayTotal(LocalDate day, int trips, BigDecimal kilometres, BigDecimal litres, BigDecimal allowance) {
}

package eu.fuhrpark.reports.report;

import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;

public record MonthlyReport(
        String vehicle,
        YearMonth month,
        BigDecimal kilometres,
        BigDecimal litres,
        BigDecimal litresPerHundred,
        BigDecimal allowance,
        List<DestinationShare> destinations,
        List<DayTotal> days,
        String sheetDigest) {
}

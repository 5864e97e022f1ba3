package eu.fuhrpark.reports.report;

import java.math.BigDecimal;

public record DestinationShare(String destination, int visits, BigDecimal kilometres) {
}

package eu.quayside.freight.quote;

public record Quote(String carrier, String service, int cents, int days, boolean viaTransshipment) {
}

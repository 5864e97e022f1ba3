package com.postwerk.rates;

/** What can be set from outside. */
public record Settings(int port, int instances, String referenceFolder) {

    public static Settings fromEnvironment() {
        return new Settings(
                number("HTTP_PORT", 8080),
                number("RATES_INSTANCES", 2),
                text("RATES_REFDATA", "refdata"));
    }

    private static int number(String name, int otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : Integer.parseInt(value.trim());
    }

    private static String text(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : value.trim();
    }
}

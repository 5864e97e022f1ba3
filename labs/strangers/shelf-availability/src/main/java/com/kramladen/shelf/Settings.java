package com.kramladen.shelf;

/** What can be set from outside. A warehouse port of 0 means any free one. */
public record Settings(int port, int instances, int warehousePort, int warehouseConnections) {

    public static Settings fromEnvironment() {
        return new Settings(number("PORT", 8080), number("INSTANCES", 2),
                number("WAREHOUSE_PORT", 0), number("WAREHOUSE_CONNECTIONS", 48));
    }

    public Settings withWarehousePort(int actual) {
        return new Settings(port, instances, actual, warehouseConnections);
    }

    private static int number(String name, int otherwise) {
        String value = System.getenv(name);
        return value == null || value.isBlank() ? otherwise : Integer.parseInt(value.trim());
    }
}

package com.acme;

/** Finds orders, and looks in vain for a class each time, as upgrades of libraries do. */
final class OrderService {
    /** Of the build that is slower. */
    private static final int TIMES = Integer.getInteger("shop.times", 1);

    String find(int id) {
        for (int time = 0; time < TIMES; time++) {
            try {
                Class.forName("com.acme.Missing" + id % 3);
            } catch (ClassNotFoundException expected) {
                // It is not there.
            }
        }
        return "{\"id\":" + id + "}";
    }
}

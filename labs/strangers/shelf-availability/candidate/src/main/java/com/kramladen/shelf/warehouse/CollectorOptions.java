package com.kramladen.shelf.warehouse;

/** The warehouse accepts up to 100 articles a query and asks its clients to use that. */
public record CollectorOptions(int largestQuery, long windowMillis) {

    public static CollectorOptions defaults() {
        return new CollectorOptions(100, 2);
    }
}

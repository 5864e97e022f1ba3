package com.druckwerk.quotes.order;

/** What is to be printed, after the defaults of the product were filled in. */
public record PrintJob(String product, int copies, int pages, int grammage, boolean colour, Finishing finishing) {

    public enum Finishing { NONE, FOLDED, STAPLED, BOUND }

    public PrintJob {
        if (copies < 1 || copies > 500_000) {
            throw new IllegalArgumentException("copies out of range: " + copies);
        }
        if (pages < 1 || pages > 640) {
            throw new IllegalArgumentException("pages out of range: " + pages);
        }
    }

    public int sheets() {
        return copies * ((pages + 1) / 2);
    }
}

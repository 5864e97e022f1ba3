package com.gridhub.curves.store;

import java.io.ByteArrayOutputStream;

/** Encodes readings one after another. */
final class SegmentWriter {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(160);
    private int previous;
    private int values;

    SegmentWriter add(int wattHours) {
        int difference = wattHours - previous;
        int zigzag = (difference << 1) ^ (difference >> 31);
        while ((zigzag & ~0x7F) != 0) {
            out.write((zigzag & 0x7F) | 0x80);
            zigzag >>>= 7;
        }
        out.write(zigzag);
        previous = wattHours;
        values++;
        return this;
    }

    Segment finish() {
        return new Segment(out.toByteArray(), values);
    }
}

package com.gridhub.curves.store;

/** Reads a segment from its beginning to its end. Not for use by several threads. */
public final class SegmentCursor implements AutoCloseable {

    private final Segment segment;
    private final byte[] data;
    private int position;
    private int value;
    private boolean closed;

    SegmentCursor(Segment segment) {
        this.segment = segment;
        this.data = segment.data();
        segment.pin();
    }

    /** Goes to the next reading; false at the end. */
    public boolean advance() {
        if (position == data.length) {
            return false;
        }
        int zigzag = 0;
        int shift = 0;
        byte b;
        do {
            b = data[position++];
            zigzag |= (b & 0x7F) << shift;
            shift += 7;
        } while (b < 0);
        value += (zigzag >>> 1) ^ -(zigzag & 1);
        return true;
    }

    public int value() {
        return value;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            segment.unpin();
        }
    }
}

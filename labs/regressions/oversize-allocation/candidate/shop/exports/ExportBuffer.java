package shop.exports;

import java.nio.charset.StandardCharsets;

/** Where an export is put together. */
final class ExportBuffer {
    private static final int SIZE = 4 * 1024 * 1024;
    private final byte[] bytes;
    private int used;

    private ExportBuffer(byte[] bytes) {
        this.bytes = bytes;
    }

    static ExportBuffer open() {
        return new ExportBuffer(new byte[SIZE]);
    }

    void write(byte[] part) {
        System.arraycopy(part, 0, bytes, used, part.length);
        used += part.length;
    }

    String text() {
        return new String(bytes, 0, used, StandardCharsets.UTF_8);
    }
}

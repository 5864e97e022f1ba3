package shop.exports;

import front.Front;
import java.nio.charset.StandardCharsets;

/** The price list, as it is exported. */
public final class ExportService {
    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new ExportService()::page);
    }

    String page() {
        ExportBuffer buffer = ExportBuffer.open();
        for (int i = 0; i < 120; i++) {
            String line = String.format("%4d %-20s %8d%n", i, "article " + i, 99 + i * 31);
            buffer.write(line.getBytes(StandardCharsets.UTF_8));
        }
        return buffer.text();
    }
}

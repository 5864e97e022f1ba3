package dev.tacho.warmup.request;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.Resource;

/** The files that requests come from. */
public final class SourceText {

    /** As {@code tacho load --targets} reads at most. */
    private static final int LARGEST = 16 << 20;

    private SourceText() {
    }

    /**
     * All of a file, as text without a byte order mark.
     *
     * @throws RequestException when it cannot be read
     */
    public static String of(Resource file) {
        String text = new String(bytes(file), StandardCharsets.UTF_8);
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    /**
     * All of a file.
     *
     * @throws RequestException when it cannot be read
     */
    public static byte[] bytes(Resource file) {
        try (var input = file.getInputStream()) {
            byte[] bytes = input.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new RequestException(file.getDescription() + " has more than " + LARGEST + " bytes");
            }
            return bytes;
        } catch (IOException unreadable) {
            throw new RequestException(file.getDescription() + " cannot be read: " + unreadable.getMessage(),
                    unreadable);
        }
    }
}

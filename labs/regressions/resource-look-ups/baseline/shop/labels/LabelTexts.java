package shop.labels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** Texts in the language of the parcel's country. */
final class LabelTexts {
    private static final Properties TEXTS = read();

    private LabelTexts() {}

    static Properties texts() {
        return TEXTS;
    }

    private static Properties read() {
        Properties texts = new Properties();
        for (String name : List.of("labels_de_AT.properties", "labels_de.properties", "labels.properties")) {
            try (InputStream file = LabelTexts.class.getResourceAsStream(name)) {
                if (file != null) {
                    texts.load(file);
                    return texts;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return texts;
    }
}

package shop.labels;

import front.Front;
import java.util.Properties;

/** The labels of a parcel: four sides, each with the same texts. */
public final class LabelService {
    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new LabelService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int side = 1; side <= 4; side++) {
            Properties texts = LabelTexts.texts();
            for (int i = 1; i <= 24; i++) {
                text.append(String.format("%d %2d %-50s%n", side, i, texts.getProperty("label." + i)));
            }
        }
        return text.toString();
    }
}

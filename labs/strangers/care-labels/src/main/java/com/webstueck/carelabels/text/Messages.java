package com.webstueck.carelabels.text;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/** The texts that the translators deliver, one file a language. */
public class Messages {

    private static final String CARE = "texts.care";
    private static final String GOODS = "texts.goods";

    private static final List<Locale> OFFERED = List.of(Locale.ENGLISH, Locale.GERMAN, new Locale("de", "AT"),
            Locale.FRENCH, Locale.ITALIAN);

    /** The offered language that suits best, English if none does. */
    public Locale offered(String tag) {
        if (tag == null || tag.isBlank()) {
            return Locale.ENGLISH;
        }
        Locale match = Locale.lookup(Locale.LanguageRange.parse(tag), OFFERED);
        return match == null ? Locale.ENGLISH : match;
    }

    public Texts in(Locale locale) {
        return new Texts(locale, ResourceBundle.getBundle(CARE, locale), ResourceBundle.getBundle(GOODS, locale));
    }
}

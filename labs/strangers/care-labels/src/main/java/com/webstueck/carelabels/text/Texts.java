package com.webstueck.carelabels.text;

import java.text.MessageFormat;
import java.util.Locale;
import java.util.ResourceBundle;

/** The texts in one language. */
public final class Texts {

    private final Locale locale;
    private final ResourceBundle care;
    private final ResourceBundle goods;

    Texts(Locale locale, ResourceBundle care, ResourceBundle goods) {
        this.locale = locale;
        this.care = care;
        this.goods = goods;
    }

    public Locale locale() {
        return locale;
    }

    public String care(String key) {
        return care.getString(key);
    }

    public String care(String key, Object value) {
        return new MessageFormat(care.getString(key), locale).format(new Object[] {value});
    }

    public String fibre(String code) {
        return goods.getString("fibre." + code);
    }

    public String country(String code) {
        return goods.getString("country." + code);
    }
}

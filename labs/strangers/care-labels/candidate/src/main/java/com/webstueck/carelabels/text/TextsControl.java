package com.webstueck.carelabels.text;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/**
 * Texts come from properties files only, and a language without texts falls back to the base file, never to
 * the language of the host. What the translators correct is shown without a restart.
 */
final class TextsControl extends ResourceBundle.Control {

    @Override
    public List<String> getFormats(String baseName) {
        return FORMAT_PROPERTIES;
    }

    @Override
    public Locale getFallbackLocale(String baseName, Locale locale) {
        return null;
    }

    @Override
    public long getTimeToLive(String baseName, Locale locale) {
        return TTL_DONT_CACHE;
    }
}

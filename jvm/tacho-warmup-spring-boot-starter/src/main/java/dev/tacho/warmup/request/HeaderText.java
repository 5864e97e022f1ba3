package dev.tacho.warmup.request;

import dev.tacho.warmup.request.WarmUpRequest.Header;

/** {@code Name: value}. */
public final class HeaderText {

    private HeaderText() {
    }

    /**
     * Reads it.
     *
     * @throws RequestException when it has no name
     */
    public static Header parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw new RequestException("`" + text + "` is no header; write `Name: value`");
        }
        return new Header(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
    }
}

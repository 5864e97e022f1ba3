package com.medivault.letters.web;

/** A JSON object written by hand. */
final class Json {

    private final StringBuilder out = new StringBuilder(512).append('{');

    Json text(String name, String value) {
        name(name);
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(' ');
            } else {
                out.append(c);
            }
        }
        out.append('"');
        return this;
    }

    Json number(String name, long value) {
        name(name);
        out.append(value);
        return this;
    }

    Json flag(String name, boolean value) {
        name(name);
        out.append(value);
        return this;
    }

    private void name(String name) {
        if (out.length() > 1) {
            out.append(',');
        }
        out.append('"').append(name).append("\":");
    }

    String end() {
        return out.append('}').toString();
    }
}

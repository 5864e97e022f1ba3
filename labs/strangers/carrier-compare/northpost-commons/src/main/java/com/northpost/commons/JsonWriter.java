package com.northpost.commons;

/** Writes small JSON documents without reflection. */
public final class JsonWriter {

    private final StringBuilder out = new StringBuilder(512);
    private boolean needsComma;

    public JsonWriter beginObject() {
        separate();
        out.append('{');
        needsComma = false;
        return this;
    }

    public JsonWriter endObject() {
        out.append('}');
        needsComma = true;
        return this;
    }

    public JsonWriter beginArray() {
        separate();
        out.append('[');
        needsComma = false;
        return this;
    }

    public JsonWriter endArray() {
        out.append(']');
        needsComma = true;
        return this;
    }

    public JsonWriter name(String name) {
        separate();
        quote(name);
        out.append(':');
        needsComma = false;
        return this;
    }

    public JsonWriter value(String value) {
        separate();
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        needsComma = true;
        return this;
    }

    public JsonWriter value(long value) {
        separate();
        out.append(value);
        needsComma = true;
        return this;
    }

    public JsonWriter raw(String literal) {
        separate();
        out.append(literal);
        needsComma = true;
        return this;
    }

    private void separate() {
        if (needsComma) {
            out.append(',');
        }
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20) {
                        out.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}

package de.lohnwerk.payslip.json;

import java.nio.charset.StandardCharsets;

/** Writes JSON as it goes; whoever calls it keeps the order right. */
public class JsonWriter {

    private final StringBuilder out = new StringBuilder(2048);
    private boolean first = true;

    public JsonWriter beginObject() {
        separate();
        out.append('{');
        first = true;
        return this;
    }

    public JsonWriter endObject() {
        out.append('}');
        first = false;
        return this;
    }

    public JsonWriter beginArray(String name) {
        name(name);
        out.append('[');
        first = true;
        return this;
    }

    public JsonWriter endArray() {
        out.append(']');
        first = false;
        return this;
    }

    public JsonWriter field(String name, String value) {
        name(name);
        string(value);
        return this;
    }

    public JsonWriter field(String name, long value) {
        name(name);
        out.append(value);
        return this;
    }

    public byte[] toBytes() {
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void name(String name) {
        separate();
        string(name);
        out.append(':');
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void string(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}

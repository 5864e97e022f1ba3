package org.wanderwege.trails.http;

/** Writes JSON; just what this service needs of it. */
public final class JsonText {

    private final StringBuilder out = new StringBuilder(1024);
    private boolean first = true;

    public JsonText open() {
        separate();
        out.append('{');
        first = true;
        return this;
    }

    public JsonText close() {
        out.append('}');
        first = false;
        return this;
    }

    public JsonText openList(String name) {
        key(name);
        out.append('[');
        first = true;
        return this;
    }

    public JsonText closeList() {
        out.append(']');
        first = false;
        return this;
    }

    public JsonText field(String name, String value) {
        key(name);
        quote(value);
        return this;
    }

    public JsonText field(String name, long value) {
        key(name);
        out.append(value);
        return this;
    }

    public JsonText tenths(String name, double value) {
        key(name);
        appendTenths(value);
        return this;
    }

    public JsonText itemTenths(double value) {
        separate();
        appendTenths(value);
        return this;
    }

    private void appendTenths(double value) {
        long tenths = Math.round(value * 10);
        if (tenths < 0) {
            out.append('-');
            tenths = -tenths;
        }
        out.append(tenths / 10).append('.').append(tenths % 10);
    }

    private void key(String name) {
        separate();
        quote(name);
        out.append(':');
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    @Override
    public String toString() {
        return out.toString();
    }
}

package com.gridhub.curves.http;

/** Helps to write JSON by hand. */
final class Json {

    private Json() {
    }

    static StringBuilder text(StringBuilder out, String name, String value) {
        return out.append('"').append(name).append("\":\"").append(value.replace("\"", "\\\"")).append('"');
    }

    static StringBuilder number(StringBuilder out, String name, long value) {
        return out.append('"').append(name).append("\":").append(value);
    }

    /** Thousandths as a decimal number, for kilo units. */
    static StringBuilder kilo(StringBuilder out, String name, long value) {
        out.append('"').append(name).append("\":").append(value / 1000).append('.');
        long rest = value % 1000;
        if (rest < 100) {
            out.append('0');
        }
        if (rest < 10) {
            out.append('0');
        }
        return out.append(rest);
    }

    static StringBuilder tenths(StringBuilder out, String name, double value) {
        long scaled = Math.round(value * 10);
        return out.append('"').append(name).append("\":").append(scaled / 10).append('.').append(scaled % 10);
    }
}

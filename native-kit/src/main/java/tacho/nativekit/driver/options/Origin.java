package tacho.nativekit.driver.options;

import java.net.URI;

/**
 * Where an option was given. The builder names it in its messages, and decides by it whom to
 * believe.
 */
public record Origin(String text) {

    /** The command line of the person. */
    public static final Origin USER = new Origin("user");

    /** This driver. */
    public static final Origin DRIVER = new Origin("driver");

    public static Origin argumentFile(String file) {
        return new Origin("argfile:" + file);
    }

    /** A file of a class path entry: file:/... or jar:file:/...!/... */
    public static Origin file(URI uri) {
        return new Origin(uri.toString());
    }

    String ofPublicOption() {
        return text + "+api";
    }

    /**
     * The same builder option with this origin between its name and its value, unless it has one.
     */
    public String mark(String builderOption) {
        int equals = builderOption.indexOf('=');
        String name = equals < 0 ? builderOption : builderOption.substring(0, equals);
        return name.contains("@") ? builderOption : name + "@" + text + builderOption.substring(name.length());
    }
}

package tacho.nativekit.driver.options;

/**
 * An option of the builder itself.
 *
 * @param name      what follows -H: or -R:
 * @param type      the Java type of its value
 * @param isRuntime whether it belongs to the image that is built
 * @param help      what it does, possibly nothing
 */
public record BuilderOption(String name, String type, boolean isRuntime, String help) {

    public boolean isSwitch() {
        return type.equals("Boolean");
    }

    /** How it is written on the command line. */
    public String spelling() {
        String prefix = isRuntime ? "-R:" : "-H:";
        return isSwitch() ? prefix + "±" + name : prefix + name + "=" + type;
    }
}

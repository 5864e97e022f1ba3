package tacho.nativekit.driver.builder;

import java.util.Properties;

/**
 * Which builder makes the images.
 *
 * @param version     of the builder, such as 25.0.2
 * @param date        when that version was released
 * @param artifact    its Maven coordinates
 * @param vendor      how images name it
 * @param javaVersion of the JDK, such as 25.0.3+9-LTS
 */
public record BuilderIdentity(String version, String date, String artifact, String vendor, String javaVersion) {

    public static BuilderIdentity of(Properties properties) {
        return new BuilderIdentity(properties.getProperty("version"), properties.getProperty("date"),
                properties.getProperty("artifact"), properties.getProperty("vendor"),
                properties.getProperty("javaVersion"));
    }

    public Properties asProperties() {
        Properties properties = new Properties();
        properties.setProperty("version", version);
        properties.setProperty("date", date);
        properties.setProperty("artifact", artifact);
        properties.setProperty("vendor", vendor);
        properties.setProperty("javaVersion", javaVersion);
        return properties;
    }

    /**
     * What build tools call and parse: three lines, of the form that GraalVM's own driver prints.
     */
    public String versionLines() {
        return """
                native-image %s %s
                GraalVM Runtime Environment %s (build %s)
                Substrate VM %s (build %s, serial gc)""".formatted(version, date, vendor, javaVersion, vendor, javaVersion);
    }
}

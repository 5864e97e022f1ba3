package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.Properties;
import java.util.ResourceBundle;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** What was packed with the program. */
final class Resources implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("resources.beside a class", "beside the classes", () -> {
            try (InputStream in = Resources.class.getResourceAsStream("/tacho/checks/text.txt")) {
                return new String(in.readAllBytes(), UTF_8).strip();
            }
        });
        checks.check("resources.by the loader", "beside the classes", () -> {
            URL url = loader().getResource("tacho/checks/" + "text.txt");
            var connection = url.openConnection();
            connection.setUseCaches(false);
            try (InputStream in = connection.getInputStream()) {
                return new String(in.readAllBytes(), UTF_8).strip();
            }
        });
        checks.check(
                "resources.missing",
                "null null 0",
                () -> Resources.class.getResource("no-such-thing") + " " + loader().getResourceAsStream("no/such/thing")
                        + " "
                        + Collections.list(loader().getResources("no/such")).size());
        checks.check(
                "resources.in a module",
                true,
                () -> Object.class.getModule().getName().equals("java.base"));
        checks.check(
                "resources.bundle",
                "Guten Tag, good day, Grüezi",
                () -> greeting(Locale.GERMANY) + ", " + greeting(Locale.ROOT) + ", " + greeting(Locale.of("de", "CH")));
        checks.check("resources.bundle that is missing", "MissingResourceException", () -> {
            try {
                return ResourceBundle.getBundle("tacho.checks.NoSuchBundle");
            } catch (MissingResourceException e) {
                return e.getClass().getSimpleName();
            }
        });
        checks.check("resources.properties", "{a=1, b=ü}", () -> {
            Properties properties = new Properties();
            try (var in = new java.io.InputStreamReader(
                    Resources.class.getResourceAsStream("/tacho/checks/some.properties"), UTF_8)) {
                properties.load(in);
            }
            return new java.util.TreeMap<>(properties);
        });
    }

    private static ClassLoader loader() {
        return Resources.class.getClassLoader();
    }

    private static String greeting(Locale locale) {
        var control = ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);
        return ResourceBundle.getBundle("tacho.checks.greetings", locale, control)
                .getString("greeting");
    }
}

package tacho.options;

import java.io.IOException;
import java.io.InputStream;
import java.util.ServiceLoader;

/**
 * Shows what the options of its build came to: Main, Main resource FILE, Main type NAME, Main wait.
 */
public final class Main {

    private Main() {
    }

    public static void main(String[] words) throws IOException, InterruptedException {
        switch (words.length == 0 ? "" : words[0]) {
            case "resource" -> System.out.println(resource(words[1]));
            case "type" -> System.out.println(type(words[1]));
            case "wait" -> waitForTheEnd();
            default -> describe();
        }
    }

    private static void describe() {
        System.out.println("module " + Main.class.getModule().getName());
        ServiceLoader.load(Greeting.class).forEach(greeting ->
                System.out.println("greeting " + greeting.text() + " by " + greeting.getClass().getModule().getName()));
        System.out.println("heap " + (Runtime.getRuntime().maxMemory() >> 20));
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = Main.class.getResourceAsStream(name)) {
            return file == null ? "null" : new String(file.readAllBytes()).strip();
        } catch (Error notRegistered) {
            return notRegistered.getClass().getSimpleName();
        }
    }

    private static String type(String name) {
        try {
            return Class.forName(name).getName();
        } catch (ClassNotFoundException | Error absent) {
            return absent.getClass().getSimpleName();
        }
    }

    private static void waitForTheEnd() throws InterruptedException {
        System.out.println("waiting");
        Thread.sleep(Long.MAX_VALUE);
    }
}

package tacho.nativekit.driver.paths;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import tacho.nativekit.driver.UsageException;

/**
 * A jar for -jar: its manifest names the main class and the entries that belong to it (JAR file
 * specification).
 *
 * @param mainClass  the manifest's Main-Class
 * @param classPath  the jar and what its Class-Path names
 * @param addExports packages that Add-Exports opens to the unnamed module, MODULE/PACKAGE
 * @param addOpens   the same for Add-Opens
 */
public record ExecutableJar(String mainClass, List<Path> classPath, List<String> addExports, List<String> addOpens) {

    public static ExecutableJar read(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new UsageException("There is no jar " + jar + ".");
        }
        Attributes attributes = manifest(jar).getMainAttributes();
        String mainClass = attributes.getValue(Attributes.Name.MAIN_CLASS);
        if (mainClass == null) {
            throw new UsageException("The manifest of " + jar + " names no Main-Class."
                    + " Give the class instead: native-image -cp " + jar + " CLASS.");
        }
        return new ExecutableJar(mainClass.strip(), withClassPath(jar, attributes), words(attributes, "Add-Exports"),
                words(attributes, "Add-Opens"));
    }

    private static Manifest manifest(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            return manifest == null ? new Manifest() : manifest;
        } catch (IOException unreadable) {
            throw new UsageException("The jar " + jar + " cannot be read: " + unreadable.getMessage());
        }
    }

    private static List<Path> withClassPath(Path jar, Attributes attributes) {
        List<Path> entries = new ArrayList<>(List.of(jar));
        Path folder = jar.toAbsolutePath().getParent();
        for (String relative : words(attributes, "Class-Path")) {
            entries.add(folder.resolve(pathOf(relative)));
        }
        return SearchPath.existing(entries);
    }

    /** Entries of Class-Path are URLs, mostly relative ones. */
    private static String pathOf(String entry) {
        String path = entry.startsWith("file:") ? java.net.URI.create(entry).getPath() : entry;
        return java.net.URLDecoder.decode(path.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8);
    }

    private static List<String> words(Attributes attributes, String name) {
        String value = attributes.getValue(name);
        return value == null || value.isBlank() ? List.of() : List.of(value.strip().split("\\s+"));
    }
}

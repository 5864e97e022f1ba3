package tacho.nativekit.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The schema of reachability-metadata.json. Since version 0.11.5 of GraalVM's Maven and Gradle
 * plugins they refuse a GRAALVM_HOME without it, or with an older one than their metadata
 * repository has; that repository is where it comes from.
 */
final class MetadataSchema {

    private static final String IN_REPOSITORY = "schemas/reachability-metadata-schema-v[0-9.]+\\.json";
    private static final String IN_HOME = "lib/svm/schemas/reachability-metadata-schema.json";

    private MetadataSchema() {
    }

    static void extract(Path repository, Path home) throws IOException {
        try (ZipFile zip = new ZipFile(repository.toFile())) {
            ZipEntry schema = zip.stream().filter(entry -> entry.getName().matches(IN_REPOSITORY)).findFirst()
                    .orElseThrow(() -> new IOException(repository + " has no " + IN_REPOSITORY));
            Path file = home.resolve(IN_HOME);
            Files.createDirectories(file.getParent());
            try (InputStream text = zip.getInputStream(schema)) {
                Files.copy(text, file);
            }
        }
    }
}

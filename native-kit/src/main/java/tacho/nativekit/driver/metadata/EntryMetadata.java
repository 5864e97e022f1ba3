package tacho.nativekit.driver.metadata;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.options.Origin;

/** What a jar or folder of the class or module path brings along in META-INF/native-image. */
public record EntryMetadata(List<Found> found) {

    private static final String ROOT = "META-INF/native-image";
    private static final String PROPERTIES = "native-image.properties";

    /**
     * One file's contribution.
     *
     * @param arguments    for native-image
     * @param jvmArguments for the builder's JVM
     */
    public record Found(Origin origin, List<String> arguments, List<String> jvmArguments, Optional<String> imageName,
            Optional<String> mainClass, Optional<String> mainModule) {
    }

    public static EntryMetadata of(Path entry, List<Exclusion> exclusions) {
        if (Files.isDirectory(entry)) {
            return new EntryMetadata(read(entry, entry, exclusions));
        }
        try (FileSystem jar = FileSystems.newFileSystem(entry)) {
            return new EntryMetadata(read(entry, jar.getPath("/"), exclusions));
        } catch (IOException | java.nio.file.ProviderNotFoundException unreadable) {
            throw new UsageException(entry + " is on the class or module path but is no folder and no readable jar: "
                    + unreadable.getMessage());
        }
    }

    private static List<Found> read(Path entry, Path root, List<Exclusion> exclusions) {
        Path folder = root.resolve(ROOT);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Found> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String resource = root.relativize(file).toString();
                if (exclusions.stream().noneMatch(exclusion -> exclusion.excludes(entry, resource))) {
                    contribution(file, resource).ifPresent(found::add);
                }
            }
        } catch (IOException unreadable) {
            throw new UsageException("The metadata of " + entry + " cannot be read: " + unreadable.getMessage());
        }
        return found;
    }

    private static Optional<Found> contribution(Path file, String resource) throws IOException {
        URI uri = file.toUri();
        if (file.getFileName().toString().equals(PROPERTIES)) {
            String folder = resource.substring(0, resource.length() - PROPERTIES.length() - 1);
            NativeImageProperties properties = NativeImageProperties.parse(Files.readString(file), folder,
                    uri.toString());
            return Optional.of(new Found(Origin.file(uri), properties.arguments(), properties.jvmArguments(),
                    properties.imageName(), properties.mainClass(), properties.mainModule()));
        }
        return MetadataKind.of(resource).map(kind -> new Found(Origin.file(uri), List.of(kind.argument(resource)),
                List.of(), Optional.empty(), Optional.empty(), Optional.empty()));
    }
}

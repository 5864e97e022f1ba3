package tacho.nativekit.driver.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tacho.nativekit.Jars;
import tacho.nativekit.driver.UsageException;

class MetadataTest {

    private static final String PLACE = "META-INF/native-image/g/a/";

    @TempDir
    Path folder;

    @Test
    void propertiesKnowTheirFolderAndTheBuild() {
        NativeImageProperties properties = NativeImageProperties.parse("""
                ImageName = app
                JavaArgs = -Xmx4g --add-exports=a/b=c
                Args = --features=a.B \\
                       -H:ResourceConfigurationResources=${.}/more.json -Dhome=${java.home} "-Dtext=a b"
                """, "META-INF/native-image/g/a", "here");
        assertEquals(Optional.of("app"), properties.imageName());
        assertEquals(List.of("-Xmx4g", "--add-exports=a/b=c"), properties.jvmArguments());
        assertEquals(List.of("--features=a.B", "-H:ResourceConfigurationResources=META-INF/native-image/g/a/more.json",
                "-Dhome=" + System.getProperty("java.home"), "-Dtext=a b"), properties.arguments());
    }

    @Test
    void anUnknownVariableIsNamedWithItsPlace() {
        String message = assertThrows(UsageException.class,
                () -> NativeImageProperties.parse("Args = ${no.such.thing}", "f", "jar:x")).getMessage();
        assertTrue(message.contains("jar:x") && message.contains("${no.such.thing}"), message);
    }

    @Test
    void wordsMayBeEmptyInQuotes() {
        assertEquals(List.of("a", "", "b c"), NativeImageProperties.words(" a '' b' 'c "));
        assertEquals(List.of(), NativeImageProperties.words("  "));
    }

    private Path jar() throws IOException {
        return Jars.write(folder.resolve("lib.jar"), Map.of(
                PLACE + "native-image.properties", "Args=--enable-http",
                PLACE + "reflect-config.json", "[]",
                PLACE + "1.0/reachability-metadata.json", "{}",
                PLACE + "notes.json", "[]",
                "META-INF/other/reflect-config.json", "[]"));
    }

    @Test
    void ofAJarAllKnownFilesCountWithTheirOrigin() throws IOException {
        Path jar = jar();
        List<EntryMetadata.Found> found = EntryMetadata.of(jar, List.of()).found();
        assertEquals(List.of(
                List.of("-H:ReachabilityMetadataResources=" + PLACE + "1.0/reachability-metadata.json"),
                List.of("--enable-http"),
                List.of("-H:ReflectionConfigurationResources=" + PLACE + "reflect-config.json")),
                found.stream().map(EntryMetadata.Found::arguments).toList());
        assertEquals("jar:" + jar.toUri() + "!/" + PLACE + "native-image.properties", found.get(1).origin().text());
    }

    @Test
    void ofAFolderToo() throws IOException {
        Path file = folder.resolve("classes").resolve(PLACE).resolve("jni-config.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "[]");
        List<EntryMetadata.Found> found = EntryMetadata.of(folder.resolve("classes"), List.of()).found();
        assertEquals(List.of("-H:JNIConfigurationResources=" + PLACE + "jni-config.json"), found.getFirst().arguments());
        assertEquals(file.toUri().toString(), found.getFirst().origin().text());
    }

    @Test
    void entriesWithoutMetadataBringNothing() throws IOException {
        assertEquals(List.of(), EntryMetadata.of(Jars.write(folder.resolve("plain.jar"), Map.of("a", "")), List.of()).found());
        assertEquals(List.of(), EntryMetadata.of(folder, List.of()).found());
    }

    @Test
    void exclusionsMatchEntryAndFile() throws IOException {
        Path jar = jar();
        // As the manual writes it, and as Maven's plugin and Quarkus do.
        assertEquals(2, EntryMetadata.of(jar, List.of(Exclusion.of("lib.jar", "META-INF/native-image/.*.properties"))).found().size());
        assertEquals(0, EntryMetadata.of(jar, List.of(Exclusion.of("\\Q" + jar + "\\E", "^/META-INF/native-image/"))).found().size());
        assertEquals(3, EntryMetadata.of(jar, List.of(Exclusion.of("other.jar", ".*"))).found().size());
        assertThrows(UsageException.class, () -> Exclusion.of("(", "x"));
    }

    @Test
    void whatIsNoJarIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no zip");
        assertTrue(assertThrows(UsageException.class, () -> EntryMetadata.of(text, List.of())).getMessage().contains("text.jar"));
    }
}

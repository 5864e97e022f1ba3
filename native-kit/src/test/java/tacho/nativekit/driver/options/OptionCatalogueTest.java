package tacho.nativekit.driver.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionCatalogueTest {

    @TempDir
    Path folder;

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = folder.resolve("options.tsv");
        Options.SOME.write(file);
        assertEquals(Options.SOME, OptionCatalogue.read(file));
    }

    @Test
    void otherFilesAreRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("other"), "hello\n");
        assertThrows(IOException.class, () -> OptionCatalogue.read(file));
    }

    @Test
    void suggestionsAreTheNearestNames() {
        List<String> known = List.of("--no-fallback", "--auto-fallback", "--shared", "--static");
        assertEquals("--no-fallback", Suggestions.nearest("--no-falback", known.stream()).getFirst());
        assertEquals(List.of(), Suggestions.nearest("--zzzzzzzzzzzzz", known.stream()));
        assertEquals(" Did you mean a or b?", Suggestions.sentence(List.of("a", "b")));
        assertEquals("", Suggestions.sentence(List.of()));
    }

    @Test
    void distancesAreOfLevenshtein() {
        assertEquals(0, Suggestions.distance("same", "same"));
        assertEquals(3, Suggestions.distance("kitten", "sitting"));
        assertEquals(4, Suggestions.distance("", "four"));
    }

    @Test
    void originsAreMarkedOnce() {
        assertEquals("-H:Name@driver=a@b", Origin.DRIVER.mark("-H:Name=a@b"));
        assertEquals("-H:+Flag@user", Origin.USER.mark("-H:+Flag"));
        assertEquals("-H:Name@jar:x=a", Origin.USER.mark("-H:Name@jar:x=a"));
    }
}

package tacho.nativekit.driver.arguments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.options.Origin;

class ArgumentsTest {

    @TempDir
    Path folder;

    @Test
    void theEnvironmentComesFirst() {
        assertEquals(List.of(new Arguments(List.of("-g", "-Ob"), Origin.USER), new Arguments(List.of("Main"), Origin.USER)),
                Arguments.of(" -g  -Ob ", List.of("Main")));
        assertEquals(List.of(), Arguments.of(null, List.of()));
    }

    @Test
    void filesStandWhereTheyAreNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("some.args"), "-cp 'my app.jar'");
        assertEquals(List.of(new Arguments(List.of("-g"), Origin.USER),
                new Arguments(List.of("-cp", "my app.jar"), Origin.argumentFile(file.toString())),
                new Arguments(List.of("Main"), Origin.USER)), Arguments.of(null, List.of("-g", "@" + file, "Main")));
    }

    @Test
    void twoSignsAreOne() {
        assertEquals(List.of("@odd"), Arguments.of(null, List.of("@@odd")).getFirst().words());
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertTrue(assertThrows(UsageException.class, () -> Arguments.of(null, List.of("@/no/such/file"))).getMessage()
                .contains("/no/such/file"));
    }
}

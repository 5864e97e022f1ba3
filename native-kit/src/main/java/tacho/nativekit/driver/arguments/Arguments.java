package tacho.nativekit.driver.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.options.Origin;

/**
 * Arguments that were given together: those of NATIVE_IMAGE_OPTIONS, of the command line, or of an
 * argument file.
 */
public record Arguments(List<String> words, Origin origin) {

    /**
     * What stands in the environment, the words of the command line between argument files, and
     * those of the files.
     */
    public static List<Arguments> of(String environment, List<String> commandLine) {
        List<Arguments> groups = new ArrayList<>();
        if (environment != null && !environment.isBlank()) {
            groups.addAll(expanded(List.of(environment.strip().split("\\s+"))));
        }
        groups.addAll(expanded(commandLine));
        return groups;
    }

    private static List<Arguments> expanded(List<String> words) {
        List<Arguments> groups = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        for (String word : words) {
            if (word.startsWith("@@")) {
                plain.add(word.substring(1));
            } else if (word.startsWith("@") && word.length() > 1) {
                addUnlessEmpty(groups, plain);
                plain = new ArrayList<>();
                groups.add(read(word.substring(1)));
            } else {
                plain.add(word);
            }
        }
        addUnlessEmpty(groups, plain);
        return groups;
    }

    private static void addUnlessEmpty(List<Arguments> groups, List<String> words) {
        if (!words.isEmpty()) {
            groups.add(new Arguments(words, Origin.USER));
        }
    }

    private static Arguments read(String file) {
        try {
            return new Arguments(ArgumentFile.words(Files.readString(Path.of(file))), Origin.argumentFile(file));
        } catch (NoSuchFileException absent) {
            throw new UsageException("There is no argument file " + file + ".");
        } catch (IOException unreadable) {
            throw new UsageException("The argument file " + file + " cannot be read: " + unreadable.getMessage());
        }
    }
}

package tacho.nativekit.driver.metadata;

import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tacho.nativekit.driver.UsageException;

/**
 * A pair of --exclude-config: metadata files are passed over whose entry and whose name both match.
 *
 * @param entry    found in the path of the jar or folder
 * @param resource found in the file's name within it, with a leading slash
 */
public record Exclusion(Pattern entry, Pattern resource) {

    public static Exclusion of(String entry, String resource) {
        return new Exclusion(pattern(entry), pattern(resource));
    }

    boolean excludes(Path entryPath, String resourceName) {
        return entry.matcher(entryPath.toString()).find() && resource.matcher("/" + resourceName).find();
    }

    private static Pattern pattern(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException invalid) {
            throw new UsageException("--exclude-config: '" + expression + "' is no regular expression: "
                    + invalid.getDescription() + ".");
        }
    }
}

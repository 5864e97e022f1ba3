package tacho.nativekit.driver.metadata;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tacho.nativekit.driver.UsageException;

/**
 * A native-image.properties: arguments for native-image (Args) and for the builder's JVM
 * (JavaArgs), and the names of what is built. In values ${.} is the folder of the file within its
 * entry, and ${NAME} a system property of the build such as java.home.
 */
record NativeImageProperties(List<String> arguments, List<String> jvmArguments, Optional<String> imageName,
        Optional<String> mainClass, Optional<String> mainModule) {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    static NativeImageProperties parse(String text, String folder, String place) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException | IllegalArgumentException malformed) {
            throw new UsageException(place + " is no properties file: " + malformed.getMessage());
        }
        return new NativeImageProperties(
                words(value(properties, "Args", folder, place).orElse("")),
                words(value(properties, "JavaArgs", folder, place).orElse("")),
                value(properties, "ImageName", folder, place),
                value(properties, "ImageClass", folder, place),
                value(properties, "ImageModule", folder, place));
    }

    private static Optional<String> value(Properties properties, String key, String folder, String place) {
        return Optional.ofNullable(properties.getProperty(key)).map(value -> substitute(value, folder, place));
    }

    private static String substitute(String value, String folder, String place) {
        Map<String, String> own = Map.of(".", folder);
        return VARIABLE.matcher(value).replaceAll(variable -> {
            String name = variable.group(1);
            String replacement = own.containsKey(name) ? own.get(name) : System.getProperty(name);
            if (replacement == null) {
                throw new UsageException(place + " asks for ${" + name + "}, which is not defined.");
            }
            return Matcher.quoteReplacement(replacement);
        });
    }

    /** Words between white space; quotes hold together. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        char quote = 0;
        for (char c : text.toCharArray()) {
            if (quote == 0 && Character.isWhitespace(c)) {
                if (isWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    isWord = false;
                }
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
                isWord = true;
            } else if (c == quote) {
                quote = 0;
            } else {
                word.append(c);
                isWord = true;
            }
        }
        if (isWord) {
            words.add(word.toString());
        }
        return words;
    }
}

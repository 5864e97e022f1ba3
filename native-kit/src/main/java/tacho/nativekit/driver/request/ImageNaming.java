package tacho.nativekit.driver.request;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.metadata.EntryMetadata;
import tacho.nativekit.driver.request.Request.ImagePlace;

/**
 * What is built and what it is called: from -jar, -m, -o, words without a dash, -H:Name= and its
 * like, and metadata.
 */
final class ImageNaming {

    private static final String NAME = "-H:Name=";
    private static final String FOLDER = "-H:Path=";
    private static final String CLASS = "-H:Class=";
    private static final String MODULE = "-H:Module=";

    private final List<String> positional = new ArrayList<>();
    private String output;
    private String folder;
    private String mainClass;
    private String mainModule;
    private String jarName;
    private String suggestedName;
    private String suggestedClass;

    void jar(Path jar, String itsMainClass) {
        String name = jar.getFileName().toString();
        jarName = name.endsWith(".jar") ? name.substring(0, name.length() - ".jar".length()) : name;
        mainClass = itsMainClass;
    }

    void module(String text) {
        int slash = text.indexOf('/');
        mainModule = slash < 0 ? text : text.substring(0, slash);
        mainClass = slash < 0 ? null : text.substring(slash + 1);
    }

    void output(String path) {
        output = path;
    }

    void positional(String word) {
        positional.add(word);
    }

    /** Names in native-image.properties count when the command line has none. */
    void suggested(EntryMetadata.Found found) {
        suggestedName = found.imageName().orElse(suggestedName);
        suggestedClass = found.mainClass().orElse(suggestedClass);
        found.mainModule().filter(module -> mainModule == null && jarName == null).ifPresent(module -> mainModule = module);
    }

    /**
     * Takes a builder option that names class, module, name or folder; false when it is another
     * one.
     */
    boolean takes(String option) {
        String plain = option.replaceFirst("@[^=]*=", "=");
        if (plain.startsWith(NAME)) {
            output = plain.substring(NAME.length());
        } else if (plain.startsWith(FOLDER)) {
            folder = plain.substring(FOLDER.length());
        } else if (plain.startsWith(CLASS)) {
            mainClass = plain.substring(CLASS.length());
        } else if (plain.startsWith(MODULE)) {
            mainModule = plain.substring(MODULE.length());
        } else {
            return false;
        }
        return true;
    }

    boolean hasModule() {
        return mainModule != null;
    }

    Optional<String> mainModule() {
        return Optional.ofNullable(mainModule);
    }

    Optional<String> mainClass() {
        if (mainClass != null || isNamedByModule()) {
            return Optional.ofNullable(mainClass);
        }
        return positional.isEmpty() ? Optional.ofNullable(suggestedClass) : Optional.of(positional.getFirst());
    }

    ImagePlace place(Goal goal, boolean needsNoMainClass, Path current) {
        boolean builds = goal == Goal.BUILD || goal == Goal.DRY_RUN;
        if (builds && mainClass().isEmpty() && !isNamedByModule() && !needsNoMainClass) {
            throw new UsageException("What is to be built? Give a class, -jar FILE or -m MODULE. native-image --help says more.");
        }
        List<String> rest = namesLeft();
        if (rest.size() > 1) {
            throw new UsageException("'" + rest.get(1) + "' is one name too many: a class and the image's name are all that"
                    + " stands without a dash.");
        }
        String name = rest.isEmpty() ? Optional.ofNullable(output).orElseGet(this::defaultName) : rest.getFirst();
        Path inFolder = folder == null ? current.toAbsolutePath() : current.toAbsolutePath().resolve(folder);
        Path path = inFolder.resolve(name).normalize();
        return new ImagePlace(path.getParent(), path.getFileName().toString());
    }

    /** The words without a dash, but for the one that is the main class. */
    private List<String> namesLeft() {
        boolean firstIsClass = mainClass == null && !isNamedByModule() && !positional.isEmpty();
        return firstIsClass ? positional.subList(1, positional.size()) : positional;
    }

    private boolean isNamedByModule() {
        return mainModule != null;
    }

    private String defaultName() {
        if (suggestedName != null) {
            return suggestedName;
        }
        if (jarName != null) {
            return jarName;
        }
        return mainClass().or(this::mainModule).orElse("image").toLowerCase(Locale.ROOT);
    }
}

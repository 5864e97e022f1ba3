package tacho.nativekit.driver.request;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.arguments.Arguments;
import tacho.nativekit.driver.metadata.EntryMetadata;
import tacho.nativekit.driver.metadata.Exclusion;
import tacho.nativekit.driver.options.OptionCatalogue;
import tacho.nativekit.driver.options.Origin;
import tacho.nativekit.driver.options.Suggestions;
import tacho.nativekit.driver.options.Translation;
import tacho.nativekit.driver.paths.ExecutableJar;
import tacho.nativekit.driver.paths.SearchPath;

/**
 * Makes a request of the arguments. They count from left to right; those of the class path's
 * metadata count where the class path was given (GraalVM reference manual, "Order of Arguments
 * Evaluation").
 */
public final class RequestParser {

    private static final int DEBUG_PORT = 8000;

    private final OptionCatalogue catalogue;
    private final Translation translation;
    private final ImageNaming naming = new ImageNaming();
    private final List<String> builderArguments = new ArrayList<>();
    private final List<String> jvmArguments = new ArrayList<>();
    private final List<Exclusion> exclusions = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> builderEnvironment = new LinkedHashMap<>();
    private final Map<String, String> environment;
    private Goal goal = Goal.BUILD;
    private List<Path> classPath;
    private List<Path> modulePath = List.of();
    private int placeOfMetadata;
    private boolean isVerbose;

    public RequestParser(OptionCatalogue catalogue, Map<String, String> environment) {
        this.catalogue = catalogue;
        this.translation = new Translation(catalogue);
        this.environment = environment;
    }

    public Request parse(List<Arguments> groups) {
        for (Arguments group : groups) {
            parse(group.words(), group.origin());
        }
        if (classPath == null) {
            boolean isModular = !modulePath.isEmpty() && naming.hasModule();
            classPath = isModular ? List.of() : SearchPath.classPath(environment.getOrDefault("CLASSPATH", "."));
        }
        if (goal == Goal.BUILD || goal == Goal.DRY_RUN) {
            addMetadata();
        }
        boolean isSilent = builderArguments.stream().anyMatch(argument -> argument.startsWith("-H:+BuildOutputSilent"));
        return new Request(goal, classPath, modulePath, naming.place(goal, makesNoImage(), Path.of("")),
                naming.mainClass(), naming.mainModule(), List.copyOf(builderArguments), List.copyOf(jvmArguments),
                Map.copyOf(builderEnvironment), List.copyOf(warnings), isVerbose, isSilent);
    }

    /** Options that only print something, and shared libraries, need no main class. */
    private boolean makesNoImage() {
        return builderArguments.stream().anyMatch(argument -> Stream.of("-H:+SharedLibrary", "-H:+ListCPUFeatures",
                "-H:+DumpTargetInfo", "-H:+ListModules", "-H:PrintFlags").anyMatch(argument::startsWith));
    }

    private void addMetadata() {
        List<String> after = new ArrayList<>(builderArguments.subList(placeOfMetadata, builderArguments.size()));
        List<String> jvmArgumentsGiven = List.copyOf(jvmArguments);
        builderArguments.subList(placeOfMetadata, builderArguments.size()).clear();
        jvmArguments.clear();
        for (Path entry : Stream.concat(classPath.stream(), SearchPath.modulesOf(modulePath).stream()).toList()) {
            for (EntryMetadata.Found found : EntryMetadata.of(entry, exclusions).found()) {
                jvmArguments.addAll(found.jvmArguments());
                naming.suggested(found);
                parse(found.arguments(), found.origin());
            }
        }
        builderArguments.addAll(after);
        jvmArguments.addAll(jvmArgumentsGiven);
    }

    private void parse(List<String> words, Origin origin) {
        for (int at = 0; at < words.size();) {
            at += parseOne(words, at, origin);
        }
    }

    /** Takes what stands at an index; returns how many words that were. */
    private int parseOne(List<String> words, int at, Origin origin) {
        String word = words.get(at);
        Optional<String> reason = Unsupported.reason(word);
        if (reason.isPresent()) {
            throw new UsageException(reason.get());
        }
        if (word.startsWith("-H:") || word.startsWith("-R:")) {
            addBuilderOption(word, origin);
            return 1;
        }
        if (word.startsWith("-J") && word.length() > 2) {
            jvmArguments.add(word.substring(2));
            return 1;
        }
        if (word.startsWith("-D") && word.length() > 2) {
            jvmArguments.add(word);
            return 1;
        }
        if (word.startsWith("-E") && word.length() > 2) {
            addEnvironment(word.substring(2));
            return 1;
        }
        int taken = parseLauncherOption(words, at);
        return taken > 0 ? taken : parsePublicOption(words, at, origin);
    }

    private int parseLauncherOption(List<String> words, int at) {
        String word = words.get(at);
        String name = word.startsWith("--") && word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        Optional<String> joined = name.equals(word) ? Optional.empty()
                : Optional.of(word.substring(name.length() + 1));
        switch (name) {
            case "-cp", "-classpath", "--class-path" -> {
                classPath = SearchPath.classPath(valueOf(words, at, joined));
                placeOfMetadata = builderArguments.size();
            }
            case "-p", "--module-path" -> modulePath = SearchPath.modulePath(valueOf(words, at, joined));
            case "-jar" -> {
                useJar(Path.of(valueOf(words, at, joined)));
                placeOfMetadata = builderArguments.size();
            }
            case "-m", "--module" -> naming.module(valueOf(words, at, joined));
            case "-o" -> naming.output(valueOf(words, at, joined));
            case "--add-modules" -> jvmArguments.add("-Dsvm.modulesupport.addedModules=" + valueOf(words, at, joined));
            case "--limit-modules" ->
                jvmArguments.add("-Dsvm.modulesupport.limitedModules=" + valueOf(words, at, joined));
            case "--exclude-config" -> {
                return exclude(words, at, joined);
            }
            case "--debug-attach" -> jvmArguments.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address="
                    + joined.orElse(Integer.toString(DEBUG_PORT)));
            default -> {
                return parseSwitch(word);
            }
        }
        return joined.isPresent() || name.equals("--debug-attach") ? 1 : 2;
    }

    private int parseSwitch(String word) {
        switch (word) {
            case "--verbose" -> isVerbose = true;
            case "--dry-run" -> goal = Goal.DRY_RUN;
            case "--version", "-version" -> goal = Goal.VERSION;
            case "--help", "-h", "-?", "-help" -> goal = Goal.HELP;
            case "--help-extra" -> goal = Goal.HELP_EXTRA;
            case "--expert-options" -> goal = Goal.EXPERT_OPTIONS;
            case "--expert-options-all" -> goal = Goal.EXPERT_OPTIONS_ALL;
            case "--diagnostics-mode" -> builderArguments.add(Origin.USER.mark("-H:+DiagnosticsMode"));
            case "--enable-preview" -> jvmArguments.add("--enable-preview");
            case "--auto-fallback" -> warnings.add("--auto-fallback: this kit makes images that need no JVM, or none.");
            case "--no-server" -> warnings.add("--no-server has no function any more.");
            default -> {
                return 0;
            }
        }
        return 1;
    }

    private int parsePublicOption(List<String> words, int at, Origin origin) {
        String word = words.get(at);
        Optional<Translation.Translated> translated;
        try {
            translated = translation.translate(words, at, origin);
        } catch (IllegalArgumentException wrongValue) {
            throw new UsageException(wrongValue.getMessage());
        }
        if (translated.isPresent()) {
            builderArguments.add(translated.get().builderArgument());
            if (!translated.get().warning().isEmpty()) {
                warnings.add(translated.get().warning());
            }
            return translated.get().consumed();
        }
        if (word.startsWith("-")) {
            throw unknown(word, origin);
        }
        naming.positional(word);
        return 1;
    }

    private UsageException unknown(String word, Origin origin) {
        String name = word.contains("=") && !word.startsWith("--gc") ? word.substring(0, word.indexOf('=')) : word;
        Stream<String> known = Stream.concat(
                LauncherOptions.ALL.stream().flatMap(option -> option.spellings().stream()),
                catalogue.publicOptions().stream().flatMap(option -> option.spellings().stream()));
        String forJvm = word.startsWith("-X") ? " A flag for the JVM that builds is given as -J" + word + "." : "";
        String where = origin.equals(Origin.USER) ? "" : " (in " + origin.text() + ")";
        return new UsageException("native-image knows no option " + word + where + "."
                + Suggestions.sentence(Suggestions.nearest(name, known)) + forJvm
                + " native-image --help lists the options.");
    }

    private void addBuilderOption(String word, Origin origin) {
        if (!naming.takes(word)) {
            builderArguments.add(origin.mark(word));
        }
    }

    private void addEnvironment(String assignment) {
        int equals = assignment.indexOf('=');
        String name = equals < 0 ? assignment : assignment.substring(0, equals);
        String value = equals < 0 ? environment.get(name) : assignment.substring(equals + 1);
        if (value == null) {
            throw new UsageException("-E" + assignment + ": the environment has no " + name + ".");
        }
        builderEnvironment.put(name, value);
    }

    private void useJar(Path jar) {
        ExecutableJar executable = ExecutableJar.read(jar);
        classPath = executable.classPath();
        naming.jar(jar, executable.mainClass());
        executable.addExports().forEach(exported -> builderArguments.add(
                Origin.USER.mark("-H:AddExports=" + exported + "=ALL-UNNAMED")));
        executable.addOpens().forEach(opened -> builderArguments.add(
                Origin.USER.mark("-H:AddOpens=" + opened + "=ALL-UNNAMED")));
    }

    /** Either two words, as build plugins give it, or one with a comma, as the manual has it. */
    private int exclude(List<String> words, int at, Optional<String> joined) {
        String entry = valueOf(words, at, joined);
        int taken = joined.isPresent() ? 1 : 2;
        int comma = entry.lastIndexOf(',');
        boolean hasSecond = at + taken < words.size() && !words.get(at + taken).startsWith("-");
        if (hasSecond && (comma < 0 || words.get(at + taken).contains("META-INF"))) {
            exclusions.add(Exclusion.of(entry, words.get(at + taken)));
            return taken + 1;
        }
        if (comma < 0) {
            throw new UsageException("--exclude-config wants two regular expressions: one for the jar or folder, one for the"
                    + " file in it: --exclude-config netty '/META-INF/native-image/.*'.");
        }
        exclusions.add(Exclusion.of(entry.substring(0, comma), entry.substring(comma + 1)));
        return taken;
    }

    private static String valueOf(List<String> words, int at, Optional<String> joined) {
        if (joined.isPresent()) {
            return joined.get();
        }
        if (at + 1 == words.size()) {
            throw new UsageException(words.get(at) + " wants a value after it.");
        }
        return words.get(at + 1);
    }
}

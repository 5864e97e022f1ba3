package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import tacho.nativekit.driver.options.Origin;
import tacho.nativekit.driver.paths.SearchPath;
import tacho.nativekit.driver.request.Request;

/** A call of the builder: its JVM's flags, its own arguments, its environment. */
public record BuilderCommand(List<String> jvm, List<String> arguments, Map<String, String> environment) {

    /**
     * What of the person's environment the builder sees; the rest could change the image without
     * being in any file.
     */
    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "PWD", "USER", "LANG", "LC_ALL", "LC_CTYPE",
            "LC_MESSAGES", "TMPDIR", "TERM", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "COMPILER_PATH",
            "GCC_EXEC_PREFIX", "SOURCE_DATE_EPOCH");

    /** The same in a file: its arguments, with NUL between them. */
    private static final String ARGUMENTS_FILE = "--image-args-file=";

    /** Builds into a folder, whatever the request's own place is. */
    public static BuilderCommand of(Request request, BuilderHome home, Path folder, boolean isTerminal,
            Map<String, String> environment, BuildMemory memory) throws IOException {
        List<String> jvm = new ArrayList<>();
        jvm.add(home.java().toString());
        jvm.addAll(BuilderJvm.flags(home));
        jvm.addAll(BuilderJvm.buildFlags(home.identity()));
        jvm.addAll(memory.flags());
        jvm.addAll(request.jvmArguments());
        jvm.add("--module");
        jvm.add(BuilderJvm.MODULE + "/" + BuilderJvm.MAIN_CLASS);
        return new BuilderCommand(List.copyOf(jvm), builderArguments(request, home, folder, isTerminal),
                builderEnvironment(request, environment));
    }

    private static List<String> builderArguments(Request request, BuilderHome home, Path folder, boolean isTerminal) {
        List<String> arguments = new ArrayList<>();
        if (!request.classPath().isEmpty()) {
            arguments.addAll(List.of("-imagecp", SearchPath.text(request.classPath())));
        }
        if (!request.modulePath().isEmpty()) {
            arguments.addAll(List.of("-imagemp", SearchPath.text(request.modulePath())));
        }
        List<String> own = new ArrayList<>();
        own.add("-H:CLibraryPath=" + home.cLibraries());
        own.add("-H:Path=" + folder);
        own.add("-H:Name=" + request.image().name());
        request.mainClass().ifPresent(name -> own.add("-H:Class=" + name));
        request.mainModule().ifPresent(name -> own.add("-H:Module=" + name));
        own.add("-H:ConfigurationFileDirectories=" + home.metadataFolder());
        own.add("-H:FallbackThreshold=0");
        own.add("-H:ImageBuildID=" + buildId(request));
        if (isTerminal) {
            own.add("-H:+BuildOutputColorful");
        }
        own.forEach(option -> arguments.add(Origin.DRIVER.mark(option)));
        arguments.addAll(request.builderArguments());
        return List.copyOf(arguments);
    }

    /** The same for the same input, as the builder asks for. */
    private static UUID buildId(Request request) {
        String input = String.join("\0", request.builderArguments()) + SearchPath.text(request.classPath())
                + SearchPath.text(request.modulePath()) + request.mainClass() + request.mainModule();
        return UUID.nameUUIDFromBytes(input.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> builderEnvironment(Request request, Map<String, String> environment) {
        Map<String, String> builder = new LinkedHashMap<>();
        environment.forEach((name, value) -> {
            if (INHERITED.contains(name)) {
                builder.put(name, value);
            }
        });
        builder.putAll(request.environment());
        builder.putAll(BuilderJvm.ENVIRONMENT);
        return builder;
    }

    /**
     * The command line of a build by this process, with the builder's arguments in a file in that
     * folder.
     */
    public List<String> commandLine(BuilderHome home, Path folder) throws IOException {
        Path file = folder.resolve("builder-arguments");
        Files.writeString(file, String.join("\0", arguments));
        List<String> command = new ArrayList<>(jvm);
        command.add(1, BuilderJvm.followsThisProcess(home));
        command.add(ARGUMENTS_FILE + file);
        return command;
    }

    /** For people: everything, one argument a line, to be pasted into a shell. */
    public String text() {
        List<String> words = new ArrayList<>(List.of("env", "-i"));
        environment.forEach((name, value) -> words.add(name + "=" + value));
        words.addAll(jvm);
        words.addAll(arguments);
        return String.join(" \\\n", words.stream().map(BuilderCommand::quoted).toList());
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}

package tacho.nativekit.install;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line of install.
 *
 * @param kit     the folder of this kit
 * @param home    where the GRAALVM_HOME goes
 * @param from    an unpacked GraalVM or Mandrel to be used instead
 * @param maven   the command that resolves the builder's jars
 * @param isForced whether to make it again though it is there
 */
record InstallOptions(Path kit, Path home, Optional<Path> from, String maven, boolean isForced) {

    static final String USAGE = """
            native-kit/install [--jdk HOME] [--to DIR] [--from PATH] [--force] [--maven CMD]

              --jdk HOME    the JDK 25 to build with; else JAVA_HOME, /usr/lib/jvm, SDKMAN, /opt
              --to DIR      where to install; else ${XDG_DATA_HOME:-~/.local/share}/tacho/native-kit/25.0.2
              --from PATH   use this unpacked GraalVM or Mandrel instead of making one
              --force       make it again though it is there
              --maven CMD   the Maven to resolve the builder's jars with; else mvn

            The last line printed is GRAALVM_HOME=DIR.
            Exit codes: 0 installed, 2 wrong usage, 3 the machine lacks something, 4 the builder's jars cannot be had,
            5 it could not be made.""";

    static InstallOptions parse(Path kit, List<String> arguments, Map<String, String> environment) {
        Optional<Path> to = Optional.empty();
        Optional<Path> from = Optional.empty();
        String maven = "mvn";
        boolean isForced = false;
        for (Iterator<String> words = arguments.iterator(); words.hasNext();) {
            String word = words.next();
            switch (word) {
                case "--to" -> to = Optional.of(Path.of(valueOf(word, words)).toAbsolutePath().normalize());
                case "--from" -> from = Optional.of(Path.of(valueOf(word, words)).toAbsolutePath().normalize());
                case "--maven" -> maven = valueOf(word, words);
                case "--jdk" -> valueOf(word, words); // the launcher has started that JDK's java
                case "--force" -> isForced = true;
                default -> throw new InstallException(InstallException.WRONG_USAGE,
                        "install knows no " + word + ".\n\n" + USAGE);
            }
        }
        return new InstallOptions(kit, to.orElseGet(() -> defaultHome(environment)), from, maven, isForced);
    }

    private static String valueOf(String word, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new InstallException(InstallException.WRONG_USAGE, word + " wants a value after it.\n\n" + USAGE);
        }
        return words.next();
    }

    private static Path defaultHome(Map<String, String> environment) {
        String data = environment.get("XDG_DATA_HOME");
        Path folder = data != null && !data.isEmpty() ? Path.of(data) : Path.of(environment.getOrDefault("HOME", "."), ".local/share");
        return folder.resolve("tacho/native-kit").resolve(BuilderArtifacts.VERSION).toAbsolutePath();
    }
}

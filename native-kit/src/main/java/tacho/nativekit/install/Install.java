package tacho.nativekit.install;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Installs the kit: what native-kit/install starts, with the JDK that it found. */
public final class Install {

    /** The launcher says where the kit is. */
    private static final String KIT = "tacho.nativekit.kit";

    private static final String INPUTS = "lib/svm/driver/inputs.sha256";

    private final InstallOptions options;
    private final Map<String, String> environment;
    private final PrintStream progress;

    private Install(InstallOptions options, Map<String, String> environment, PrintStream progress) {
        this.options = options;
        this.environment = environment;
        this.progress = progress;
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments), System.getenv()));
    }

    private static int run(List<String> arguments, Map<String, String> environment) throws InterruptedException {
        if (arguments.contains("--help")) {
            System.out.println(InstallOptions.USAGE);
            return 0;
        }
        try {
            Path kit = Path.of(System.getProperty(KIT)).toAbsolutePath().normalize();
            InstallOptions options = InstallOptions.parse(kit, arguments, environment);
            new Install(options, environment, System.out).install();
            System.out.println("GRAALVM_HOME=" + options.home());
            return 0;
        } catch (InstallException failed) {
            System.err.println("install: " + failed.getMessage());
            return failed.exitCode();
        } catch (IOException failed) {
            System.err.println("install: " + failed);
            return InstallException.NOT_MADE;
        }
    }

    private void install() throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("native-kit-");
        Thread cleanUp = new Thread(() -> removeQuietly(scratch));
        Runtime.getRuntime().addShutdownHook(cleanUp);
        if (options.from().isPresent()) {
            Adoption.of(options.from().get(), scratch).linkAt(options.home(), progress);
            return;
        }
        SourceJdk jdk = SourceJdk.ofThisJvm();
        String inputs = Inputs.sum(options.kit(), jdk, scratch);
        if (!options.isForced() && installedFrom().equals(Optional.of(inputs))) {
            progress.println("Installed already, from the same kit and JDK.");
            return;
        }
        refuseForeign();
        Prerequisites.check(jdk, options.home(), scratch);
        Path made = siblingOf(options.home(), "making");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> removeQuietly(made)));
        Folders.remove(made);
        Files.createDirectories(made);
        new Assembly(options.kit(), jdk, progress).make(made, new BuilderArtifacts(options, environment), scratch);
        Files.writeString(made.resolve(INPUTS), inputs);
        putInPlace(made);
    }

    private Optional<String> installedFrom() throws IOException {
        Path file = options.home().resolve(INPUTS);
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }

    /** What is no kit is not overwritten: the folder could be anything. */
    private void refuseForeign() throws IOException {
        Path home = options.home();
        boolean isKit = Files.exists(home.resolve("lib/svm/driver/identity.properties")) || Files.isSymbolicLink(home);
        if (Files.exists(home, LinkOption.NOFOLLOW_LINKS) && !isKit && !isEmptyFolder(home)) {
            throw new InstallException(InstallException.WRONG_USAGE, home + " is there already and is no native kit."
                    + " Choose another folder: install --to DIR.");
        }
    }

    private static boolean isEmptyFolder(Path folder) throws IOException {
        try (var children = Files.list(folder)) {
            return Files.isDirectory(folder) && children.findAny().isEmpty();
        }
    }

    /**
     * Renames, so that there is never half a home: what was there goes aside first and is removed
     * last.
     */
    private void putInPlace(Path made) throws IOException {
        Path old = siblingOf(options.home(), "old");
        Folders.remove(old);
        if (Files.exists(options.home(), LinkOption.NOFOLLOW_LINKS)) {
            Files.move(options.home(), old);
        }
        Files.move(made, options.home());
        Folders.remove(old);
    }

    private static Path siblingOf(Path home, String purpose) throws IOException {
        Files.createDirectories(home.getParent());
        return home.resolveSibling("." + home.getFileName() + "." + purpose + "-" + ProcessHandle.current().pid());
    }

    private static void removeQuietly(Path folder) {
        try {
            Folders.remove(folder);
        } catch (IOException left) {
            System.err.println("install: " + folder + " could not be removed: " + left.getMessage());
        }
    }
}

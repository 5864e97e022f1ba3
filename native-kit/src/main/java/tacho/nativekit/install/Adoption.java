package tacho.nativekit.install;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** An unpacked GraalVM or Mandrel that is used as it is. */
record Adoption(Path graalvm, String version) {

    static Adoption of(Path graalvm, Path scratch) throws IOException, InterruptedException {
        Path program = graalvm.resolve("bin/native-image");
        if (!Files.isExecutable(program)) {
            throw new InstallException(InstallException.WRONG_USAGE, graalvm + " has no bin/native-image."
                    + " Give the folder into which GraalVM or Mandrel was unpacked: install --from PATH.");
        }
        Command.Result result = Command.of(scratch, program.toString(), "--version").run();
        if (!result.isGood() || !result.text().contains("native-image")) {
            throw new InstallException(InstallException.LACKS_SOMETHING, program + " --version does not answer as a native-image does:\n"
                    + result.text().strip().indent(2));
        }
        return new Adoption(graalvm, result.text());
    }

    /** Makes a symbolic link, which takes the place of an older link but not of anything else. */
    void linkAt(Path home, PrintStream progress) throws IOException {
        if (Files.exists(home, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(home)) {
            throw new InstallException(InstallException.WRONG_USAGE, home + " is there already."
                    + " Remove it, or choose another folder: install --to DIR.");
        }
        Files.createDirectories(home.getParent());
        Path link = home.resolveSibling("." + home.getFileName() + ".link-" + ProcessHandle.current().pid());
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, graalvm);
        Files.move(link, home, java.nio.file.StandardCopyOption.ATOMIC_MOVE, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        progress.print(version.indent(4));
    }
}

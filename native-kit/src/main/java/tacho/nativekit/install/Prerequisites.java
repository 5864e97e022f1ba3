package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the machine must have, checked before anything is fetched or written. Each message says how
 * to get it.
 */
final class Prerequisites {

    private static final long SPACE = 600L << 20;

    private Prerequisites() {
    }

    static void check(SourceJdk jdk, Path home, Path scratch) throws IOException, InterruptedException {
        checkPlatform();
        checkJdk(jdk);
        checkCompiler(scratch);
        checkSpace(home);
    }

    private static void checkPlatform() {
        String platform = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!platform.equals("Linux on amd64")) {
            throw lacks("This kit makes images for Linux on amd64; this is " + platform
                    + ". Unpack a GraalVM and give its folder: install --from FOLDER.");
        }
    }

    private static void checkJdk(SourceJdk jdk) {
        if (Files.exists(jdk.home().resolve("bin/native-image"))) {
            throw lacks(jdk.home() + " has a native-image already. Use it as it is (install --from " + jdk.home()
                    + "), or give a stock JDK: install --jdk HOME.");
        }
        if (jdk.isForMusl()) {
            throw lacks(jdk.home() + " is made for musl, and images need glibc. Give another JDK, on a system with glibc: install --jdk HOME.");
        }
        int release = Runtime.version().feature();
        if (release != 25) {
            throw lacks("The builder " + BuilderArtifacts.VERSION + " needs a JDK 25; " + jdk.home() + " is a JDK " + release
                    + ". Install one (apt-get install temurin-25-jdk, or sdk install java 25-tem) and give it: install --jdk HOME.");
        }
        if (!Files.exists(jdk.include().resolve("jni.h")) || ModuleLayer.boot().findModule("jdk.compiler").isEmpty()) {
            throw lacks(jdk.home() + " is no whole JDK: it lacks " + (Files.exists(jdk.include().resolve("jni.h"))
                    ? "the compiler" : "include/jni.h") + ". Give another one: install --jdk HOME.");
        }
        if (ModuleLayer.boot().findModule("jdk.internal.vm.ci").isEmpty()
                && java.lang.module.ModuleFinder.ofSystem().find("jdk.internal.vm.ci").isEmpty()) {
            throw lacks(jdk.home() + " is built without the JVM compiler interface (module jdk.internal.vm.ci), which the builder"
                    + " needs. Temurin 25 has it. Give another JDK: install --jdk HOME.");
        }
    }

    /**
     * Images are linked with -lz, so zlib has to be there in the form in which programs are linked
     * with it.
     */
    private static void checkCompiler(Path scratch) throws IOException, InterruptedException {
        if (!Command.of(scratch, "gcc", "--version").run().isGood()) {
            throw lacks("There is no gcc. Install it: apt-get install gcc libc6-dev zlib1g-dev, or: dnf install gcc glibc-devel zlib-devel.");
        }
        Path program = Files.writeString(scratch.resolve("probe.c"), "#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n");
        if (!Command.of(scratch, "gcc", program.toString(), "-o", "probe").run().isGood()) {
            throw lacks("gcc cannot build a program. Install libc's headers: apt-get install libc6-dev, or: dnf install glibc-devel.");
        }
        if (!Command.of(scratch, "gcc", program.toString(), "-o", "probe", "-lz").run().isGood()) {
            throw lacks("gcc does not find zlib. Install it: apt-get install zlib1g-dev, or: dnf install zlib-devel.");
        }
    }

    private static void checkSpace(Path home) throws IOException {
        long free = Files.getFileStore(Folders.existingAncestor(home)).getUsableSpace();
        if (free < SPACE) {
            throw lacks("There are " + (free >> 20) + " MB free for " + home + ", and the kit may need " + (SPACE >> 20)
                    + ". Free some, or choose another folder: install --to DIR.");
        }
    }

    private static InstallException lacks(String message) {
        return new InstallException(InstallException.LACKS_SOMETHING, message);
    }
}

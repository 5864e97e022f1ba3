package tacho.nativekit.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallTest {

    private static final Path KIT = Path.of("").toAbsolutePath();

    @TempDir
    Path folder;

    private final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());

    private static InstallOptions options(Map<String, String> environment, String... words) {
        return InstallOptions.parse(KIT, List.of(words), environment);
    }

    @Test
    void theHomeIsAmongTheUsersData() {
        assertEquals(Path.of("/h/.local/share/tacho/native-kit/25.0.2"), options(Map.of("HOME", "/h")).home());
        assertEquals(Path.of("/data/tacho/native-kit/25.0.2"), options(Map.of("HOME", "/h", "XDG_DATA_HOME", "/data")).home());
        assertEquals(Path.of("/opt/kit"), options(Map.of(), "--to", "/opt/./kit", "--force").home());
    }

    @Test
    void wrongUsageSaysWhatIsRight() {
        InstallException unknown = assertThrows(InstallException.class, () -> options(Map.of(), "--too", "x"));
        assertEquals(InstallException.WRONG_USAGE, unknown.exitCode());
        assertTrue(unknown.getMessage().contains("--to DIR"));
        assertThrows(InstallException.class, () -> options(Map.of(), "--to"));
    }

    @Test
    void theListOfArtifactsIsThatOfTheVersion() throws IOException {
        Map<String, String> artifacts = new BuilderArtifacts(options(Map.of()), Map.of()).expected();
        assertEquals(13, artifacts.keySet().stream().filter(name -> name.endsWith("-" + BuilderArtifacts.VERSION + ".jar")).count());
        assertTrue(artifacts.keySet().stream().anyMatch(name -> name.matches("graalvm-reachability-metadata-.*-repository.zip")), artifacts.toString());
        assertTrue(artifacts.values().stream().allMatch(sum -> sum.matches("[0-9a-f]{64}")));
        assertTrue(Files.readString(KIT.resolve("builder/pom.xml")).contains("<version>" + BuilderArtifacts.VERSION + "</version>"));
    }

    @Test
    void changedMissingAndForeignJarsAreRefused() throws IOException {
        Files.writeString(folder.resolve("a.jar"), "a");
        String sum = Sha256.of("a".getBytes());
        BuilderArtifacts.check(folder, Map.of("a.jar", sum));
        assertTrue(assertThrows(InstallException.class, () -> BuilderArtifacts.check(folder, Map.of("a.jar", sum.replace('c', 'd'))))
                .getMessage().contains("a.jar"));
        assertThrows(InstallException.class, () -> BuilderArtifacts.check(folder, Map.of("a.jar", sum, "b.jar", sum)));
        assertThrows(InstallException.class, () -> BuilderArtifacts.check(folder, Map.of()));
    }

    @Test
    void foldersAreLinkedWithTheirLinks() throws IOException {
        Path from = Files.createDirectories(folder.resolve("from/sub"));
        Files.writeString(from.resolve("file"), "x");
        Files.createSymbolicLink(from.resolve("link"), Path.of("file"));
        Files.writeString(folder.resolve("from/left-out"), "");
        Files.createDirectories(folder.resolve("from/copy"));
        Files.writeString(folder.resolve("from/copy/settings"), "theirs");
        Path to = folder.resolve("to");
        Folders.linkOrCopy(folder.resolve("from"), to, Set.of(Path.of("left-out")), Set.of(Path.of("copy")));
        assertEquals("x", Files.readString(to.resolve("sub/link")));
        Files.writeString(to.resolve("copy/settings"), "ours");
        assertEquals("theirs", Files.readString(folder.resolve("from/copy/settings")));
        assertTrue(Files.isSymbolicLink(to.resolve("sub/link")));
        assertFalse(Files.exists(to.resolve("left-out")));
        Folders.remove(to);
        assertFalse(Files.exists(to));
        assertTrue(Files.exists(from.resolve("file")));
    }

    @Test
    void anEmbeddedLibraryHasItsNeedsAndFunctions() {
        String assembly = new EmbeddedLibrary("net", "/jdk/lib/libnet.so", List.of("java", "jvm"), List.of("NET_Bind")).assembly();
        assertTrue(assembly.contains("LIBRARY net, libnet.so, \"/jdk/lib/libnet.so\"\nNEEDS java\nNEEDS jvm\nFUNCTIONS_OF net\nFUNCTION NET_Bind\n"),
                assembly);
    }

    @Test
    void theJdksLibrariesAreUnderstood() throws IOException, InterruptedException {
        SharedLibrary net = new SharedLibrary(Path.of(System.getProperty("java.home")).resolve("lib/libnet.so"));
        assertTrue(net.functions().contains("NET_Bind"), net.functions().toString());
        assertFalse(net.functions().contains("JNI_OnLoad"));
        assertEquals(List.of("java"), net.needs(List.of("java", "nio")));
        assertTrue(net.jvmFunctionsWanted().contains("JVM_FindLibraryEntry"), net.jvmFunctionsWanted().toString());
    }

    @Test
    void packagesOfTheJdkAreOpened() {
        List<String> flags = JvmFlags.ofThisJdk();
        assertTrue(flags.stream().anyMatch(flag -> flag.startsWith("--add-opens=java.base/jdk.internal.misc=org.graalvm.nativeimage.builder,")));
        assertTrue(flags.stream().anyMatch(flag -> flag.startsWith("--add-opens=jdk.internal.vm.ci/")));
        assertTrue(flags.stream().noneMatch(flag -> flag.startsWith("--add-opens=jdk.graal.compiler/")));
    }

    @Test
    void equalInputsHaveEqualSums() throws IOException, InterruptedException {
        SourceJdk jdk = SourceJdk.ofThisJvm();
        assertEquals(Inputs.sum(KIT, jdk, folder), Inputs.sum(KIT, jdk, folder));
        Path changed = folder.resolve("kit");
        Folders.linkOrCopy(KIT.resolve("c"), changed.resolve("c"), Set.of(), Set.of());
        Folders.linkOrCopy(KIT.resolve("src/main"), changed.resolve("src/main"), Set.of(), Set.of());
        Folders.linkOrCopy(KIT.resolve("builder"), changed.resolve("builder"), Set.of(), Set.of());
        assertEquals(Inputs.sum(KIT, jdk, folder), Inputs.sum(changed, jdk, folder));
        Files.writeString(changed.resolve("c/new.h"), "");
        assertFalse(Inputs.sum(KIT, jdk, folder).equals(Inputs.sum(changed, jdk, folder)));
    }

    private Path graalvm(String program) throws IOException {
        Path home = folder.resolve("graalvm");
        Files.createDirectories(home.resolve("bin"));
        Path file = Files.writeString(home.resolve("bin/native-image"), program);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return home;
    }

    @Test
    void aGraalvmThatAnswersIsLinked() throws IOException, InterruptedException {
        Path graalvm = graalvm("#!/bin/sh\necho native-image 25 2025-09-16\n");
        Path home = folder.resolve("share/kit");
        Adoption.of(graalvm, folder).linkAt(home, nowhere);
        Adoption.of(graalvm, folder).linkAt(home, nowhere);
        assertEquals(graalvm, Files.readSymbolicLink(home));
    }

    @Test
    void whatIsNoGraalvmIsRefused() throws IOException {
        assertEquals(InstallException.WRONG_USAGE,
                assertThrows(InstallException.class, () -> Adoption.of(folder, folder)).exitCode());
        Path broken = graalvm("#!/bin/sh\necho broken >&2\nexit 1\n");
        InstallException failed = assertThrows(InstallException.class, () -> Adoption.of(broken, folder));
        assertTrue(failed.getMessage().contains("broken"), failed.getMessage());
    }

    @Test
    void aLinkTakesThePlaceOfNothingElse() throws IOException, InterruptedException {
        Path graalvm = graalvm("#!/bin/sh\necho native-image 25 2025-09-16\n");
        Path home = Files.createDirectory(folder.resolve("mine"));
        Adoption adoption = Adoption.of(graalvm, folder);
        assertThrows(InstallException.class, () -> adoption.linkAt(home, nowhere));
        assertTrue(Files.isDirectory(home, LinkOption.NOFOLLOW_LINKS));
    }
}

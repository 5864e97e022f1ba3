package tacho.nativekit.driver.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tacho.nativekit.Jars;
import tacho.nativekit.driver.UsageException;
import tacho.nativekit.driver.arguments.Arguments;
import tacho.nativekit.driver.options.Options;

class RequestParserTest {

    private static final Path HERE = Path.of("").toAbsolutePath();

    @TempDir
    Path folder;

    private Path library;

    @BeforeEach
    void makeLibrary() throws IOException {
        library = Jars.write(folder.resolve("library.jar"), Map.of(
                "META-INF/native-image/l/native-image.properties",
                "Args = -H:FromLibrary=1 --enable-http\nJavaArgs = -Xss1m\nImageName = suggested",
                "META-INF/native-image/l/reflect-config.json", "[]"));
    }

    private static Request parse(Map<String, String> environment, String... words) {
        return new RequestParser(Options.SOME, environment)
                .parse(Arguments.of(environment.get("NATIVE_IMAGE_OPTIONS"), List.of(words)));
    }

    private static Request parse(String... words) {
        return parse(Map.of(), words);
    }

    private static String refused(String... words) {
        return assertThrows(UsageException.class, () -> parse(words)).getMessage();
    }

    @Test
    void aClassAndAName() {
        Request request = parse("-cp", folder.toString(), "some.Main", "tool");
        assertEquals(Goal.BUILD, request.goal());
        assertEquals(Optional.of("some.Main"), request.mainClass());
        assertEquals(new Request.ImagePlace(HERE, "tool"), request.image());
        assertEquals(List.of(folder), request.classPath());
    }

    @Test
    void theNameIsTheClassesOwnInSmallLetters() {
        assertEquals(new Request.ImagePlace(HERE, "some.main"), parse("-cp", folder.toString(), "some.Main").image());
    }

    @Test
    void theClassPathMayComeFromTheEnvironment() {
        assertEquals(List.of(folder), parse(Map.of("CLASSPATH", folder.toString()), "Main").classPath());
        assertEquals(List.of(HERE), parse("Main").classPath());
    }

    @Test
    void aJar() throws IOException {
        Path jar = Jars.write(folder.resolve("app-1.0.jar"), Map.of("META-INF/MANIFEST.MF",
                "Manifest-Version: 1.0\nMain-Class: some.Main\nClass-Path: library.jar\nAdd-Opens: java.base/a\n"));
        Request request = parse("-jar", jar.toString(), "-H:Path=" + folder);
        assertEquals(Optional.of("some.Main"), request.mainClass());
        assertEquals(List.of(jar, library), request.classPath());
        assertEquals(new Request.ImagePlace(folder, "suggested"), request.image());
        assertTrue(request.builderArguments().contains("-H:AddOpens@user=java.base/a=ALL-UNNAMED"));
        assertEquals("mine", parse("-jar", jar.toString(), "mine").image().name());
        assertEquals("mine", parse("-jar", jar.toString(), "-o", "mine").image().name());
    }

    @Test
    void aModule() {
        Request request = parse("-p", folder.toString(), "-m", "some.module/some.Main", "tool");
        assertEquals(Optional.of("some.module"), request.mainModule());
        assertEquals(Optional.of("some.Main"), request.mainClass());
        assertEquals(List.of(), request.classPath());
        assertEquals("tool", request.image().name());
        Request ownMain = parse("-p", folder.resolve("absent").toString(), "--module", "some.module");
        assertEquals(Optional.empty(), ownMain.mainClass());
        assertEquals("some.module", ownMain.image().name());
    }

    @Test
    void aNameMayHaveAFolder() {
        assertEquals(new Request.ImagePlace(folder.resolve("sub"), "tool"),
                parse("-cp", ".", "-o", folder + "/sub/tool", "Main").image());
    }

    @Test
    void metadataCountsWhereTheClassPathWasGiven() {
        Request request = parse("-H:Before=1", "-cp", library.toString(), "-H:After=1", "Main", "-J-Xss2m");
        List<String> names = request.builderArguments().stream().map(argument -> argument.replaceAll("@[^=]*", "")).toList();
        assertEquals(List.of("-H:Before=1", "-H:FromLibrary=1", "-H:EnableURLProtocols=http",
                "-H:ReflectionConfigurationResources=META-INF/native-image/l/reflect-config.json", "-H:After=1"), names);
        assertEquals(List.of("-Xss1m", "-Xss2m"), request.jvmArguments());
        assertEquals("suggested", request.image().name());
        assertTrue(request.builderArguments().get(1).contains("@jar:file:"), request.builderArguments().toString());
    }

    @Test
    void metadataIsExcludedInBothForms() {
        assertFalse(hasReflection("--exclude-config", "\\Q" + library + "\\E", "^/META-INF/native-image/.*json"));
        assertFalse(hasReflection("--exclude-config", "library.jar,META-INF/native-image/.*json"));
        assertFalse(hasReflection("--exclude-config=library.jar,META-INF/native-image/.*json"));
        assertTrue(hasReflection("--exclude-config", "other.jar", "META-INF/native-image/.*json"));
        assertTrue(refused("Main", "--exclude-config", "library.jar").contains("two regular expressions"));
    }

    private boolean hasReflection(String... exclusion) {
        List<String> words = new java.util.ArrayList<>(List.of("-cp", library.toString()));
        words.addAll(List.of(exclusion));
        words.add("Main");
        return parse(words.toArray(String[]::new)).builderArguments().stream()
                .anyMatch(argument -> argument.startsWith("-H:ReflectionConfigurationResources"));
    }

    @Test
    void whatMavensPluginPasses() {
        Request request = parse("-cp", library + ":" + folder, "--no-fallback", "-o", folder + "/target/service", "-H:Class=some.Main",
                "--exclude-config", "\\Q" + library + "\\E", "^/META-INF/native-image/.*",
                "-H:ConfigurationFileDirectories=/a,/b");
        assertEquals(Optional.of("some.Main"), request.mainClass());
        assertEquals(new Request.ImagePlace(folder.resolve("target"), "service"), request.image());
        assertEquals(List.of("-H:FallbackThreshold@user+api=0", "-H:ConfigurationFileDirectories@user=/a,/b"),
                request.builderArguments());
    }

    @Test
    void whatQuarkusPasses() {
        Request request = parse("-J-Dsun.nio.ch.maxUpdateArraySize=100", "-H:+UnlockExperimentalVMOptions", "-H:IncludeLocales=en",
                "-H:-UnlockExperimentalVMOptions", "-J--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED",
                "--features=io.quarkus.runner.Feature,io.quarkus.runtime.graal.DisableLoggingFeature", "-march=x86-64-v3",
                "-J--add-opens=java.base/java.text=ALL-UNNAMED", "--no-fallback", "--link-at-build-time",
                "--enable-monitoring=heapdump", "-cp", library.toString(), "some.Main", "app-runner");
        assertEquals("app-runner", request.image().name());
        assertTrue(request.jvmArguments().containsAll(List.of("-Dsun.nio.ch.maxUpdateArraySize=100",
                "--add-opens=java.base/java.text=ALL-UNNAMED")));
        assertTrue(request.builderArguments().indexOf("-H:+UnlockExperimentalVMOptions@user")
                < request.builderArguments().indexOf("-H:-UnlockExperimentalVMOptions@user"));
    }

    @Test
    void theEnvironmentsOptionsComeFirst() {
        Request request = parse(Map.of("NATIVE_IMAGE_OPTIONS", "-Ob -J-Xmx3g"), "-O2", "Main");
        assertEquals(List.of("-H:Optimize@user+api=b", "-H:Optimize@user+api=2"), request.builderArguments());
        assertEquals(List.of("-Xmx3g"), request.jvmArguments());
    }

    @Test
    void variablesForTheBuilder() {
        Request request = parse(Map.of("TOKEN", "secret"), "-ETOKEN", "-EOTHER=a=b", "Main");
        assertEquals(Map.of("TOKEN", "secret", "OTHER", "a=b"), request.environment());
        assertTrue(refused("-EABSENT", "Main").contains("ABSENT"));
    }

    @Test
    void modulesAndProperties() {
        Request request = parse("--add-modules", "java.sql,java.xml", "--limit-modules=java.base", "-Dx=y", "--enable-preview", "Main");
        assertEquals(List.of("-Dsvm.modulesupport.addedModules=java.sql,java.xml", "-Dsvm.modulesupport.limitedModules=java.base",
                "-Dx=y", "--enable-preview"), request.jvmArguments());
    }

    @Test
    void sharedLibrariesNeedNoClass() {
        Request request = parse("--shared", "-o", "libthing", "-cp", folder.toString());
        assertEquals(Optional.empty(), request.mainClass());
        assertEquals("libthing", request.image().name());
    }

    @Test
    void unknownOptionsAreNamedWithTheNearest() {
        String message = refused("--no-falback", "Main");
        assertTrue(message.contains("--no-falback") && message.contains("--no-fallback"), message);
        assertTrue(refused("-Xmx4g", "Main").contains("-J-Xmx4g"));
        assertTrue(refused("--zzz=1", "Main").contains("--zzz=1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--static", "--gc=G1", "--pgo", "--pgo=a.iprof", "--libc=musl", "--bundle-create=x.nib", "--macro:truffle",
            "--force-fallback", "--target=darwin-aarch64"})
    void whatCannotWorkSaysWhy(String word) {
        String message = refused(word, "Main");
        assertTrue(message.startsWith(word + " "), message);
        assertTrue(message.length() > word.length() + 40, message);
    }

    @Test
    void somethingMustBeBuilt() {
        assertTrue(refused("-cp", ".").contains("What is to be built?"));
        assertTrue(refused("-cp", ".", "Main", "name", "another").contains("another"));
        assertTrue(refused("Main", "-cp").contains("-cp wants a value"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "--help", "--help-extra", "--expert-options", "--expert-options-all"})
    void questionsNeedNoClass(String word) {
        assertFalse(parse(word).goal() == Goal.BUILD);
    }

    @Test
    void silenceIsKept() {
        assertTrue(parse("--silent", "Main").isSilent());
        assertFalse(parse("Main").isSilent());
    }
}

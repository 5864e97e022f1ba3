package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tacho.nativekit.driver.paths.SearchPath;

/** How the JVM is started in which the builder runs. */
public final class BuilderJvm {

    public static final String MODULE = "org.graalvm.nativeimage.builder";
    public static final String MAIN_CLASS = "com.oracle.svm.hosted.NativeImageGeneratorRunner";

    /** Variables without which the builder does not start. */
    public static final Map<String, String> ENVIRONMENT = Map.of(
            "JVMCI_VERSION_CHECK", "ignore",
            "USE_NATIVE_IMAGE_JAVA_PLATFORM_MODULE_SYSTEM", "true");

    private BuilderJvm() {
    }

    /** Flags for any program that uses the builder's classes. */
    public static List<String> flags(BuilderHome home) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+EnableJVMCI",
                "-XX:-UseJVMCICompiler",
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                // A heap that is too small by a little keeps the collector at work without end:
                // with the JVM's own limits (98 % of the time, 2 % of the heap) a build with 80 MB
                // went on for a quarter of an hour and more.
                "-XX:GCTimeLimit=90",
                "-XX:GCHeapFreeLimit=10",
                "-Xss10m",
                "-Xshare:off",
                "--add-modules=ALL-DEFAULT",
                "--enable-native-access=" + MODULE,
                "--module-path", SearchPath.text(home.builderJars()),
                "--upgrade-module-path", home.compilerJar().toString(),
                "-Dcom.oracle.graalvm.isaot=true",
                "-Dorg.graalvm.nativeimage.imagecode=buildtime",
                "-Dsubstratevm.HostLibC=glibc",
                "-Djdk.reflect.useOldSerializableConstructor=true",
                "-Djdk.internal.lambda.disableEagerInitialization=true",
                "-Djava.lang.invoke.MethodHandle.DONT_INLINE_THRESHOLD=-1",
                "-Djava.lang.invoke.MethodHandle.PROFILE_GWT=false"));
        flags.add("@" + home.jvmFlagsFile());
        return flags;
    }

    /** A flag that lets the builder end when this process does, even when that is killed. */
    static String followsThisProcess(BuilderHome home) {
        return "-agentpath:" + home.builderLibraries().resolve("libfollow_driver.so") + "=" + ProcessHandle.current().pid();
    }

    /** Flags for a build. */
    static List<String> buildFlags(BuilderIdentity identity) {
        return List.of(
                "-Djava.system.class.loader=com.oracle.svm.hosted.NativeImageSystemClassLoader",
                "-Dorg.graalvm.version=" + identity.version(),
                "-Dorg.graalvm.vendor=Tacho native kit",
                "-Dorg.graalvm.vendorurl=https://www.graalvm.org/",
                "-Dorg.graalvm.vendorversion=" + identity.vendor());
    }
}

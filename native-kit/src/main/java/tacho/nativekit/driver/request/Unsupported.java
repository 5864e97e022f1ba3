package tacho.nativekit.driver.request;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Options of native-image that are known and cannot work here, with the reason and what to do
 * instead.
 */
final class Unsupported {

    private static final String ENTERPRISE = "is a feature of Oracle GraalVM, not of the community builder that this kit uses."
            + " To use an Oracle GraalVM: native-kit/install --from ITS_FOLDER.";
    private static final String BUNDLES = "is not supported by this kit: keep the class path and the arguments (--verbose shows"
            + " them) instead of a bundle.";

    /** By the beginning of the argument. */
    private static final Map<String, String> REASONS = new TreeMap<>(Map.ofEntries(
            Map.entry("--static", "cannot work: the image opens the JDK's libraries, which it carries, with dlopen, and a static"
                    + " executable has none. --static-nolibc makes an image that needs nothing but libc."),
            Map.entry("--libc=musl", "cannot work: the JDK's libraries that the image carries need glibc."),
            Map.entry("--libc=bionic", "cannot work: the JDK's libraries that the image carries need glibc."),
            Map.entry("--target", "cannot work: this kit makes images for linux-amd64 only, which is the default."),
            Map.entry("--force-fallback", "cannot work: this kit makes images that need no JVM. Leave it out."),
            Map.entry("--gc=G1", ENTERPRISE + " Choose --gc=serial or --gc=epsilon."),
            Map.entry("--pgo", ENTERPRISE),
            Map.entry("--pgo-instrument", ENTERPRISE),
            Map.entry("--pgo-sampling", ENTERPRISE),
            Map.entry("--enable-sbom", ENTERPRISE),
            Map.entry("--emit", ENTERPRISE),
            Map.entry("--bundle-create", BUNDLES),
            Map.entry("--bundle-apply", BUNDLES),
            Map.entry("--macro", "is not supported by this kit: it has no macros such as truffle."),
            Map.entry("--language", "is not supported by this kit: it has no macros such as truffle."),
            Map.entry("--tool", "is not supported by this kit: it has no macros such as truffle."),
            Map.entry("--configurations-path", "is not supported by this kit: give -H:ConfigurationFileDirectories=FOLDER.")));

    private Unsupported() {
    }

    static Optional<String> reason(String argument) {
        String name = argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : argument;
        String macro = argument.contains(":") ? argument.substring(0, argument.indexOf(':')) : argument;
        return Optional.ofNullable(REASONS.getOrDefault(argument, REASONS.getOrDefault(name, REASONS.get(macro))))
                .map(reason -> argument + " " + reason);
    }
}

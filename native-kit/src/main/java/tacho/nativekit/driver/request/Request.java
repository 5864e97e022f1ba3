package tacho.nativekit.driver.request;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call of native-image, understood.
 *
 * @param goal             what it is for
 * @param classPath        absolute, existing entries
 * @param modulePath       absolute, existing entries
 * @param image            where the image goes and what it is called
 * @param mainClass        absent for a module's own main class and for shared libraries without one
 * @param mainModule       the module of -m
 * @param builderArguments -H: and -R: options, with their origins, in the order in which they count
 * @param jvmArguments     for the builder's JVM
 * @param environment      what -E lets the builder see
 * @param warnings         to be printed before the build
 * @param isVerbose        whether to show commands
 * @param isSilent         whether to print nothing of our own
 */
public record Request(Goal goal, List<Path> classPath, List<Path> modulePath, ImagePlace image,
        Optional<String> mainClass, Optional<String> mainModule, List<String> builderArguments,
        List<String> jvmArguments, Map<String, String> environment, List<String> warnings, boolean isVerbose,
        boolean isSilent) {

    /**
     * Where the image goes.
     *
     * @param folder absolute
     * @param name   without an extension
     */
    public record ImagePlace(Path folder, String name) {
    }
}

package tacho.nativekit.driver.options;

import java.util.List;
import java.util.Optional;

/** A catalogue with an option of each kind that the builder has. */
public final class Options {

    public static final OptionCatalogue SOME = new OptionCatalogue(List.of(
            flag("--shared", "SharedLibrary", false),
            flag("-dsa", "RuntimeSystemAssertions", true),
            fixed("--no-fallback", "FallbackThreshold", "0"),
            fixed("--enable-http", "EnableURLProtocols", "http"),
            fixed("-g", "GenerateDebugInfo", "2"),
            flag("--gc=serial", "UseSerialGC", false),
            value("-O", "Optimize", "\0", Optional.empty(), ""),
            value("-march", "MicroArchitecture", "=", Optional.empty(), ""),
            value("--add-exports", "AddExports", " =", Optional.empty(), ""),
            value("--enable-monitoring", "EnableMonitoringFeatures", "=", Optional.of("<all>"), ""),
            value("--features", "Features", "=", Optional.empty(), ""),
            value("--link-at-build-time", "LinkAtBuildTime", "=", Optional.of(""), ""),
            value("--link-at-build-time-paths", "LinkAtBuildTimePaths", "=", Optional.empty(), ""),
            value("--initialize-at-build-time", "ClassInitialization", "=", Optional.of(""), "InitializationValueBuildTime"),
            value("--initialize-at-run-time", "ClassInitialization", "=", Optional.of(""), "InitializationValueRunTime"),
            new PublicOption(List.of("-ea", "-enableassertions"), "RuntimeAssertions", false, false, ":", Optional.of(""),
                    Optional.empty(), "Enable", "", "", false, "assertions"),
            new PublicOption(List.of("--strict-image-heap"), "StrictImageHeap", true, false, "=", Optional.empty(),
                    Optional.empty(), "", "It is the default.", "", false, ""),
            flag("--silent", "BuildOutputSilent", false)),
            List.of(new BuilderOption("Optimize", "String", false, "how much"),
                    new BuilderOption("MaxHeapSize", "Long", true, "the most heap")));

    private Options() {
    }

    private static PublicOption flag(String spelling, String name, boolean turnsOff) {
        return new PublicOption(List.of(spelling), name, true, turnsOff, "=", Optional.empty(), Optional.empty(), "", "", "",
                false, "a switch");
    }

    private static PublicOption fixed(String spelling, String name, String value) {
        return new PublicOption(List.of(spelling), name, false, false, "=", Optional.empty(), Optional.of(value), "", "", "",
                false, "");
    }

    private static PublicOption value(String spelling, String name, String separators, Optional<String> otherwise,
            String transformer) {
        return new PublicOption(List.of(spelling), name, false, false, separators, otherwise, Optional.empty(), transformer, "",
                "", false, "");
    }
}

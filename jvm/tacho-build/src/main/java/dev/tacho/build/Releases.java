package dev.tacho.build;

import java.util.List;
import java.util.Optional;

/** Which release a build is compared with. */
public final class Releases {
    private Releases() {}

    /** Everything before the version that is being built. */
    public static String before(String version) {
        return "[0," + version + ")";
    }

    /** A snapshot is no release. */
    public static boolean isSnapshot(String version) {
        return version.endsWith("-SNAPSHOT");
    }

    /** Of versions in their order; snapshots do not count. */
    public static Optional<String> last(List<String> versions) {
        return versions.stream().filter(version -> !isSnapshot(version)).reduce((earlier, later) -> later);
    }
}

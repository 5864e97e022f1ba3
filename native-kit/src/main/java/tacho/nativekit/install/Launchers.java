package tacho.nativekit.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The command bin/native-image. It finds its home by its own path, so that the home may be moved.
 */
final class Launchers {

    private static final String NATIVE_IMAGE = """
            #!/bin/sh
            # Starts the driver of Tacho's native kit with the JDK of the home that this file is in.
            home=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd -P) || exit 20
            exec "$home/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto --enable-native-access=ALL-UNNAMED \\
                -cp "$home/lib/svm/driver" tacho.nativekit.driver.NativeImage "$@"
            """;

    private Launchers() {
    }

    static Path write(Path home) throws IOException {
        Path file = home.resolve("bin/native-image");
        Files.writeString(file, NATIVE_IMAGE);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}

package tacho.nativekit.install;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** The stock JDK that the home is made of: the one that runs this. */
record SourceJdk(Path home, Properties release) {

    static SourceJdk ofThisJvm() throws IOException {
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        Properties release = new Properties();
        Path file = home.resolve("release");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                release.load(reader);
            }
        }
        return new SourceJdk(home, release);
    }

    /** Such as 25.0.3+9-LTS. */
    String runtimeVersion() {
        return entry("JAVA_RUNTIME_VERSION", System.getProperty("java.runtime.version"));
    }

    String vendor() {
        return entry("IMPLEMENTOR", System.getProperty("java.vendor"));
    }

    boolean isForMusl() {
        return entry("LIBC", "").equals("musl");
    }

    Path include() {
        return home.resolve("include");
    }

    Path libraries() {
        return home.resolve("lib");
    }

    private String entry(String key, String otherwise) {
        return release.getProperty(key, otherwise).replace("\"", "");
    }
}

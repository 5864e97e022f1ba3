package tacho.nativekit.install;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the driver, and the few classes of the installer that run in the home's JVM. */
final class DriverClasses {

    private DriverClasses() {
    }

    static void compile(Path sourceRoot, Path to) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> walked = Files.walk(sourceRoot.resolve("tacho/nativekit/driver"))) {
            Stream<Path> sources = Stream.concat(walked.filter(file -> file.toString().endsWith(".java")),
                    Stream.of(sourceRoot.resolve("tacho/nativekit/install/DescribeOptions.java")));
            boolean isGood = compiler.getTask(messages, files, null, List.of("-d", to.toString(), "-proc:none", "-nowarn"), null,
                    files.getJavaFileObjectsFromPaths(sources.toList())).call();
            if (!isGood) {
                throw new InstallException(InstallException.NOT_MADE, "The driver does not compile:\n" + messages);
            }
        }
    }
}

package tacho.nativekit.driver;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tacho.nativekit.driver.builder.BuilderHome;

/** The driver with a home that a test made: DriverOfHome HOME ARGUMENT... */
final class DriverOfHome {

    private DriverOfHome() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        System.exit(NativeImage.run(words.subList(1, words.size()), Map.of(), new BuilderHome(Path.of(words.getFirst()))));
    }
}

package tacho.nativekit.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Stands for the builder: leaves half an image in its place, then fails or goes on until it is
 * killed.
 */
final class HalfBuilder {

    static final String READY = "half an image is there";

    private HalfBuilder() {
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> words = List.of(Files.readString(Path.of(arguments[0])).split("\0"));
        Files.writeString(Path.of(valueOf("-H:Path@driver=", words)).resolve(valueOf("-H:Name@driver=", words)), "half");
        System.out.println(READY);
        if (valueOf("-H:Class@driver=", words).equals("Fails")) {
            System.exit(1);
        }
        Thread.sleep(Long.MAX_VALUE);
    }

    private static String valueOf(String option, List<String> words) {
        return words.stream().filter(word -> word.startsWith(option)).findFirst().orElseThrow().substring(option.length());
    }
}

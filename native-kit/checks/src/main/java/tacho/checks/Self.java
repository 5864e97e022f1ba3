package tacho.checks;

import java.util.ArrayList;
import java.util.List;

/** This program, to be started once more. */
public final class Self {

    private Self() {}

    /**
     * Whether this is a native image: the property is documented by
     * {@code org.graalvm.nativeimage.ImageInfo}.
     */
    public static boolean isImage() {
        return "runtime".equals(System.getProperty("org.graalvm.nativeimage.imagecode"));
    }

    /** The command that starts this program in a mode. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        if (!isImage()) {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        }
        command.addAll(List.of(arguments));
        return command;
    }

    /** What this program prints in a mode, without the last line end. */
    public static String output(String... arguments) throws Exception {
        Process process = new ProcessBuilder(command(arguments))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output.strip();
    }
}

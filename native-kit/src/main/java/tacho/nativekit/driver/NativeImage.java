package tacho.nativekit.driver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tacho.nativekit.driver.arguments.Arguments;
import tacho.nativekit.driver.builder.BuildMemory;
import tacho.nativekit.driver.builder.BuilderCommand;
import tacho.nativekit.driver.builder.BuilderHome;
import tacho.nativekit.driver.builder.BuilderProcess;
import tacho.nativekit.driver.options.OptionCatalogue;
import tacho.nativekit.driver.request.Request;
import tacho.nativekit.driver.request.RequestParser;
import tacho.nativekit.driver.result.Summary;
import tacho.nativekit.driver.result.Workplace;

/**
 * What bin/native-image runs: understands the arguments, calls the builder, puts what it made in
 * its place.
 */
public final class NativeImage {

    private static final int DRIVER_ERROR = 20;

    private NativeImage() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments), System.getenv(), BuilderHome.ofThisJvm()));
    }

    static int run(List<String> arguments, Map<String, String> environment, BuilderHome home) throws InterruptedException {
        try {
            OptionCatalogue catalogue = OptionCatalogue.read(home.optionsFile());
            List<Arguments> groups = Arguments.of(environment.get("NATIVE_IMAGE_OPTIONS"), arguments);
            Request request = new RequestParser(catalogue, environment).parse(groups);
            return switch (request.goal()) {
                case BUILD -> build(request, home, environment);
                case DRY_RUN -> print(command(request, home, request.image().folder(), environment, BuildMemory.now(request.jvmArguments())).text());
                case VERSION -> print(home.identity().versionLines());
                case HELP -> print(Help.of(catalogue, false));
                case HELP_EXTRA -> print(Help.of(catalogue, true));
                case EXPERT_OPTIONS -> print(Help.ofBuilderOptions(catalogue, false));
                case EXPERT_OPTIONS_ALL -> print(Help.ofBuilderOptions(catalogue, true));
            };
        } catch (UsageException wrong) {
            System.err.println("Error: " + wrong.getMessage());
            return DRIVER_ERROR;
        } catch (IOException failed) {
            System.err.println("Error: " + failed);
            return DRIVER_ERROR;
        }
    }

    private static int build(Request request, BuilderHome home, Map<String, String> environment)
            throws IOException, InterruptedException {
        BuildMemory memory = BuildMemory.now(request.jvmArguments());
        request.warnings().forEach(NativeImage::warn);
        memory.warning().ifPresent(NativeImage::warn);
        try (Workplace workplace = Workplace.in(request.image().folder(), request.image().name())) {
            BuilderCommand command = command(request, home, workplace.output(), environment, memory);
            if (request.isVerbose()) {
                System.out.println(workplace.withFinalPaths(command.text()));
            }
            BuilderProcess.Outcome outcome = BuilderProcess.run(command.commandLine(home, workplace.folder()), command,
                    workplace::withFinalPaths, System.out, workplace::close);
            Summary summary = new Summary(request, outcome, memory);
            if (outcome.exitCode() != 0) {
                System.err.println(summary.ofFailure());
                return outcome.exitCode();
            }
            List<Path> files = workplace.moveOut();
            if (!request.isSilent() && !files.isEmpty()) {
                System.out.println(summary.ofImage(files));
            }
            return 0;
        }
    }

    private static BuilderCommand command(Request request, BuilderHome home, Path folder,
            Map<String, String> environment, BuildMemory memory) throws IOException {
        boolean isTerminal = System.console() != null && System.console().isTerminal()
                && !environment.containsKey("NO_COLOR");
        return BuilderCommand.of(request, home, folder, isTerminal, environment, memory);
    }

    private static void warn(String text) {
        System.err.println("Warning: " + text);
    }

    private static int print(String text) {
        System.out.println(text);
        return 0;
    }
}

package dev.tacho.warmup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/**
 * What the starter costs at start when it is switched off: starts of one application in processes
 * of their own, with and without starters on the class path, in turn. Fifty starters, and a
 * fiftieth of the difference, since one costs less than starts differ anyway. A measurement, not a
 * test: {@code make -C jvm bench-start}; its name keeps it out of the tests.
 */
class StartUpCostBench {

    private static final int ROUNDS = Integer.getInteger("rounds", 20);
    private static final int STARTERS = 50;
    private static final int RESAMPLES = 10_000;
    private static final String READY = "ready after CPU ns ";

    /** A service that ends when it is ready. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Main {

        public static void main(String[] arguments) {
            SpringApplication application = new SpringApplication(Main.class);
            application.addListeners((ApplicationListener<ApplicationReadyEvent>) event -> {
                var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
                System.out.println(READY + system.getProcessCpuTime());
                Runtime.getRuntime().halt(0);
            });
            application.run(arguments);
        }
    }

    private record Start(double wallMs, double cpuMs) {
    }

    @Test
    void switchedOffAgainstAbsent(@TempDir Path folder) throws IOException {
        String all = System.getProperty("java.class.path");
        Predicate<String> isStarter = entry -> entry.contains("tacho-warmup") && entry.endsWith(".jar");
        Path starter = Path.of(entries(all).filter(isStarter).findFirst().orElseThrow());
        String without = entries(all).filter(isStarter.negate()).collect(Collectors.joining(File.pathSeparator));
        String with = Stream.concat(Stream.of(without), RenamedStarters.of(starter, STARTERS, folder).stream())
                .map(Object::toString).collect(Collectors.joining(File.pathSeparator));
        assertThat(conditionsThatDoNotHold(with)).as("starters that are there and switched off").isEqualTo(STARTERS);
        List<Start> off = new ArrayList<>();
        List<Start> absent = new ArrayList<>();
        Random random = new Random(1);
        // The first ones fill the page cache.
        start(with);
        start(without);
        for (int round = 0; round < ROUNDS; round++) {
            if (random.nextBoolean()) {
                off.add(start(with));
                absent.add(start(without));
            } else {
                absent.add(start(without));
                off.add(start(with));
            }
        }
        System.out.printf(Locale.ROOT, "%d pairs of starts, with %d starters and without%n", ROUNDS, STARTERS);
        tell("time to ready", off, absent, Start::wallMs);
        tell("CPU to ready", off, absent, Start::cpuMs);
    }

    private static Stream<String> entries(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator));
    }

    /** As Spring Boot's report of conditions has them. */
    private static long conditionsThatDoNotHold(String classPath) throws IOException {
        Process process = launch(classPath, "--debug");
        try (var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            return output.lines().filter(line -> line.endsWith("WarmUpAutoConfiguration:")).count();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process launch(String classPath, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", classPath, Main.class.getName(), "--server.port=0", "--tacho.warmup.enabled=false"));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Start start(String classPath) throws IOException {
        long began = System.nanoTime();
        Process process = launch(classPath);
        try (var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(READY)) {
                    double wallMs = (System.nanoTime() - began) / 1e6;
                    return new Start(wallMs, Long.parseLong(line.substring(READY.length())) / 1e6);
                }
            }
        } finally {
            process.destroyForcibly();
        }
        throw new IllegalStateException("it did not start");
    }

    /** The median of the differences of pairs with its 95 % bootstrap interval. */
    private static void tell(String what, List<Start> offs, List<Start> absents, ToDoubleFunction<Start> of) {
        double[] off = offs.stream().mapToDouble(of).toArray();
        double[] absent = absents.stream().mapToDouble(of).toArray();
        double[] differences = new double[off.length];
        Arrays.setAll(differences, i -> off[i] - absent[i]);
        Random random = new Random(2);
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            medians[i] = median(random.ints(differences.length, 0, differences.length).mapToDouble(k -> differences[k])
                    .toArray());
        }
        Arrays.sort(medians);
        double low = medians[RESAMPLES / 40] / STARTERS;
        double high = medians[RESAMPLES - RESAMPLES / 40] / STARTERS;
        System.out.printf(Locale.ROOT, "%s: absent %.0f ms, off %.0f ms, one starter %.2f ms (%.2f to %.2f)%n", what,
                median(absent), median(off), median(differences) / STARTERS, low, high);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}

package tacho.checks.modes;

import java.util.ArrayList;
import java.util.List;

/** Ways to end. */
final class Ends {

    private Ends() {}

    static void exit(List<String> arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
        System.exit(Integer.parseInt(arguments.getFirst()));
    }

    static void halt(List<String> arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
        Runtime.getRuntime().halt(Integer.parseInt(arguments.getFirst()));
    }

    static void thrown(List<String> arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
        throw new IllegalStateException("nobody catches this", new RuntimeException("the cause"));
    }

    static void thrownInThread(List<String> arguments) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    throw new IllegalStateException("nobody catches this");
                },
                "other");
        thread.start();
        thread.join();
        System.out.println("main goes on");
    }

    /** Ends when its last thread that is no daemon ends. */
    static void linger(List<String> arguments) {
        Thread.ofPlatform().daemon().start(() -> pause(1_000_000));
        Thread.ofPlatform().start(() -> {
            pause(300);
            System.out.println("the last one");
        });
        System.out.println("main ends");
    }

    static void outOfMemory(List<String> arguments) {
        List<byte[]> kept = new ArrayList<>();
        while (true) {
            kept.add(new byte[1 << 20]);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

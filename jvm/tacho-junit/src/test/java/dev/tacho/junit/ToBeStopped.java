package dev.tacho.junit;

import java.util.concurrent.CountDownLatch;

/**
 * Tests that are stopped in the middle of a launch: they say its process, and wait. Maven runs no
 * class of this name by itself.
 */
final class ToBeStopped {
    private ToBeStopped() {}

    @TachoTest(application = Greeter.class)
    void launch() {}

    public static void main(String[] arguments) throws Exception {
        TachoTest spec = ToBeStopped.class.getDeclaredMethod("launch").getAnnotation(TachoTest.class);
        try (Launch launch = Launch.start(spec)) {
            long application = ProcessHandle.current().children().findFirst().orElseThrow().pid();
            System.out.println(application);
            new CountDownLatch(1).await();
        }
    }
}

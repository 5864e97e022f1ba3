package tacho.checks.topics;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;
import sun.misc.SignalHandler;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Signals that the program sends to itself; those from outside are sent by the driver. */
final class Signals implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("signals.handled", "SIGUSR2 number 12", () -> {
            CompletableFuture<Signal> received = new CompletableFuture<>();
            SignalHandler before = Signal.handle(new Signal("USR2"), received::complete);
            Signal.raise(new Signal("USR2"));
            Signal signal = received.get(120, TimeUnit.SECONDS);
            Signal.handle(new Signal("USR2"), before);
            return signal + " number " + signal.getNumber();
        });
        checks.check("signals.unknown", "IllegalArgumentException: Unknown signal: NONSENSE", () -> {
            try {
                return new Signal("NONSENSE");
            } catch (IllegalArgumentException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("signals.hook taken back", true, () -> {
            Thread hook = new Thread(() -> System.out.println("must not be seen"));
            Runtime.getRuntime().addShutdownHook(hook);
            return Runtime.getRuntime().removeShutdownHook(hook);
        });
    }
}

package tacho.checks.topics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** The passing of time. */
final class Clocks implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("clocks.sleep is no shorter than asked", true, () -> {
            long before = System.nanoTime();
            Thread.sleep(30);
            return System.nanoTime() - before >= 29_000_000;
        });
        checks.check("clocks.parked until a time", true, () -> {
            long until = System.nanoTime() + 10_000_000;
            while (System.nanoTime() < until) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
            return System.nanoTime() >= until;
        });
        checks.check("clocks.both tell the same", true, () -> {
            Duration apart = Duration.between(
                    Instant.ofEpochMilli(System.currentTimeMillis()),
                    Clock.systemUTC().instant());
            return apart.abs().toMillis() < 60_000;
        });
        checks.check("clocks.finer than a millisecond", true, () -> {
            for (int i = 0; i < 1000; i++) {
                if (Instant.now().getNano() % 1_000_000 != 0) {
                    return true;
                }
            }
            return false;
        });
        checks.check("clocks.monotonic", true, () -> {
            long last = System.nanoTime();
            for (int i = 0; i < 100_000; i++) {
                long now = System.nanoTime();
                if (now < last) {
                    return false;
                }
                last = now;
            }
            return true;
        });
    }
}

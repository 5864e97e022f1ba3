package tacho.checks.topics;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Chance, repeatable and not. */
final class Randomness implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("random.with a seed", "-1170105035 234785527", () -> {
            Random random = new Random(42);
            return random.nextInt() + " " + random.nextInt();
        });
        checks.alike("random.split", () -> new SplittableRandom(42).split().nextLong());
        checks.alike(
                "random.by name",
                () -> RandomGeneratorFactory.of("L64X128MixRandom").create(42).nextLong());
        checks.alike("random.generators", () -> RandomGeneratorFactory.all()
                .map(RandomGeneratorFactory::name)
                .sorted()
                .toList());
        checks.check("random.no two processes alike", true, () -> {
            Set<Long> seen = new HashSet<>();
            // An image that made its generators when it was built would repeat them at each start.
            seen.add(new Random().nextLong());
            seen.add(RandomGenerator.getDefault().nextLong());
            seen.add(ThreadLocalRandom.current().nextLong());
            for (int i = 0; i < 3; i++) {
                seen.add(Long.parseLong(tacho.checks.Self.output("random")));
            }
            return seen.size() == 6;
        });
        checks.check("random.secure", "32 bytes, strong true, DRBG true", () -> {
            byte[] bytes = new byte[32];
            SecureRandom.getInstanceStrong().nextBytes(bytes);
            boolean some = false;
            for (byte b : bytes) {
                some |= b != 0;
            }
            return bytes.length + " bytes, strong " + some + ", DRBG "
                    + (SecureRandom.getInstance("DRBG").nextLong() != 0);
        });
        checks.check("random.identifiers", "90015098-3cd2-3fb0-9696-3f7d28e17f72, version 4, different true", () -> {
            UUID named = UUID.nameUUIDFromBytes("abc".getBytes());
            return named + ", version " + UUID.randomUUID().version() + ", different "
                    + !UUID.randomUUID().equals(UUID.randomUUID());
        });
    }
}

package tacho.checks.topics;

import java.util.ServiceLoader;
import tacho.checks.Checks;
import tacho.checks.Topic;
import tacho.checks.services.Greeting;

/** Implementations that are found. */
final class Services implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("services.found", "[hello, bonjour]", () -> ServiceLoader.load(Greeting.class).stream()
                .map(provider -> provider.get().text())
                .toList());
        checks.check(
                "services.types before they are made",
                "[English, French]",
                () -> ServiceLoader.load(Greeting.class).stream()
                        .map(provider -> provider.type().getSimpleName())
                        .toList());
        checks.check("services.none", false, () -> ServiceLoader.load(Topic.class)
                .findFirst()
                .isPresent());
    }
}

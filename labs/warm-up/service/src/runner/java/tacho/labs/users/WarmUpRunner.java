package tacho.labs.users;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The article's way: registers users with the service itself, one after another. Spring Boot
 * accepts traffic only when every runner has returned.
 */
@Component
class WarmUpRunner implements ApplicationRunner {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUpRunner.class);

    /** The same users in every launch. */
    private static final long SEED = 1;

    private final int count;
    private final boolean dummies;
    private final Environment environment;

    WarmUpRunner(@Value("${warmup.count:0}") int count, @Value("${warmup.dummies:true}") boolean dummies, Environment environment) {
        this.count = count;
        this.dummies = dummies;
        this.environment = environment;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        if (count == 0) {
            return; // not even a client, whose classes would be loaded
        }
        // Each pod has a port of its own, known only now.
        WebClient client = WebClient.create("http://127.0.0.1:" + environment.getRequiredProperty("local.server.port"));
        Random random = new Random(SEED);
        long start = System.nanoTime();
        for (int sent = 0; sent < count; sent++) {
            register(client, somebody(random));
        }
        LOG.info("Warmed by {} registrations of its own in {} ms", count, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    }

    /** What is refused is an exception, which ends the service: cold must not pass for warm. */
    private static void register(WebClient client, Registration registration) {
        client.post().uri("/api/users").contentType(MediaType.APPLICATION_JSON).bodyValue(registration)
                .retrieve().toBodilessEntity().block();
    }

    /** From the same ranges as the users of the experiments. */
    private Registration somebody(Random random) {
        return new Registration("First " + random.nextInt(1, 10_000), "Last " + random.nextInt(1, 10_000),
                random.nextInt(1930, 2006), random.nextInt(1, 13), random.nextInt(1, 29), dummies);
    }
}

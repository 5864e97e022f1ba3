package shop.search;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is to be done before requests come: which stemmer there is, and a clock that says that the
 * service is alive.
 */
final class Start {
    private static final List<String> STEMMERS =
            List.of("org.tartarus.snowball.ext.GermanStemmer", "org.apache.lucene.analysis.de.GermanStemmer");
    private static final AtomicLong ALIVE = new AtomicLong();

    private Start() {}

    static void up() {
        for (String stemmer : STEMMERS) {
            try {
                Class.forName(stemmer);
            } catch (ClassNotFoundException e) {
                System.out.println("without " + stemmer);
            }
        }
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "alive");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleAtFixedRate(ALIVE::incrementAndGet, 0, 100, TimeUnit.MILLISECONDS);
    }
}

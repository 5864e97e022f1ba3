package dev.tacho.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.support.hierarchical.ExclusiveResource;
import org.junit.platform.engine.support.hierarchical.Node;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

class TachoExtensionTest {
    /** Run by the tests below alone; its name is no test's. */
    static class Cases {
        @TachoTest(application = Greeter.class, readyWithin = "55s", firstRequestWithin = "55s", launches = 2)
        void kept(Launches launches) {
            assertEquals(2, launches.ready().size());
            assertEquals(2, launches.firstRequest().size());
        }

        @TachoTest(application = Greeter.class, readyWithin = "1ms", launches = 1)
        void missed() {}

        @TachoTest(application = Greeter.class, arguments = {}, launches = 1)
        void ends() {}

        @TachoTest(application = Latin1.class, launches = 1)
        void endsInLatin1() {}
    }

    private static Events events;

    @BeforeAll
    static void run() {
        events = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Cases.class))
                .execute()
                .testEvents();
    }

    @Test
    void testsThatRunInParallelWaitForEachOther() {
        var launches = new ExclusiveResource("dev.tacho.launches", ExclusiveResource.LockMode.READ_WRITE);
        events.finished().stream().map(Event::getTestDescriptor).forEach(test -> {
            Set<ExclusiveResource> held = ((Node<?>) test).getExclusiveResources();
            assertEquals(Set.of(launches), held, test.getDisplayName());
        });
    }

    @Test
    void budgetsAreKeptOrMissedAndAnApplicationThatEndsIsNamed() {
        events.assertStatistics(count -> count.succeeded(1).failed(3));
        String failures = events.failed().stream().map(Event::toString).reduce("", String::concat);
        assertTrue(failures.contains("missed by its only launch"), failures);
        assertTrue(failures.contains("ended with exit code 1 before it was ready"), failures);
        assertTrue(failures.contains("no port"), failures);
        assertTrue(failures.contains("no caf\uFFFD here"), failures);
    }
}

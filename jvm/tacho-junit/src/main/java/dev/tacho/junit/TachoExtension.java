package dev.tacho.junit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Measures before the body of the test, which may then look at the times. */
final class TachoExtension implements BeforeEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(TachoExtension.class);

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        TachoTest spec = context.getRequiredTestMethod().getAnnotation(TachoTest.class);
        if (spec.launches() < 1) {
            throw new IllegalArgumentException("launches = " + spec.launches() + ": at least one is needed");
        }
        var ready = Budget.of("ready", spec.readyWithin());
        var first = Budget.of("first request", spec.firstRequestWithin());
        Launches launches = measure(spec);
        context.getStore(NAMESPACE).put(Launches.class, launches);
        List<Budget.Verdict> verdicts = new ArrayList<>();
        List<String> told = new ArrayList<>();
        ready.ifPresent(budget -> {
            verdicts.add(budget.judge(launches.ready()));
            told.add(budget.tell(launches.ready()));
        });
        first.ifPresent(budget -> {
            verdicts.add(budget.judge(launches.firstRequest()));
            told.add(budget.tell(launches.firstRequest()));
        });
        String all = String.join("\n", told);
        context.publishReportEntry("tacho", all);
        if (verdicts.contains(Budget.Verdict.MISSED)) {
            throw new AssertionFailedError(all);
        }
        if (verdicts.contains(Budget.Verdict.NOT_TOLD)) {
            throw new TestAbortedException(all);
        }
    }

    private static Launches measure(TachoTest spec) throws Exception {
        Duration timeout = Budget.time(spec.timeout());
        List<Duration> ready = new ArrayList<>();
        List<Duration> first = new ArrayList<>();
        for (int number = 1; number <= spec.launches(); number++) {
            try (Launch launch = Launch.start(spec)) {
                ready.add(launch.untilReady(spec.ready(), timeout));
                first.add(launch.request(spec.firstRequest()));
            }
        }
        return new Launches(ready, first);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Launches.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).get(Launches.class);
    }
}

package dev.tacho.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Starts an application in JVMs of its own, one after another, and holds budgets against its start
 * and its first request. The class path is that of the test.
 *
 * <p>A test's machine is shared, and a start scatters. So a budget is judged by all launches
 * together: it is kept when every launch keeps it, and missed when every launch misses it. With
 * five launches the median lies between the fastest and the slowest but for one case in sixteen.
 * Where launches fall on both sides nothing is told: the test is aborted, neither passed nor
 * failed, with all of their times.
 *
 * <p>It says nothing of another machine. For which variant to ship, how warm, and under which
 * limits, measure with {@code tacho run}.
 *
 * <p>Where tests run in parallel, these wait for each other: launches at the same time would slow
 * each other down.
 */
@Test
@ResourceLock("dev.tacho.launches")
@ExtendWith(TachoExtension.class)
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface TachoTest {
    /** The class whose {@code main} is started. */
    Class<?> application();

    /** From the start of the JVM until {@link #ready} answers 2xx: {@code 5s}; empty: any. */
    String readyWithin() default "";

    /** The first request after that, from its connection to its last byte; empty: any. */
    String firstRequestWithin() default "";

    /** The path that says that it is ready; a Spring Boot application with Actuator has another. */
    String ready() default "/";

    /** The path of the first request. */
    String firstRequest() default "/";

    /** JVMs that are started; with fewer than five less is told. */
    int launches() default 5;

    /** Flags of the JVM, such as {@code -Xmx256m}. */
    String[] jvmFlags() default {};

    /** Arguments of the application. {@code {port}} stands for the port where it is to listen. */
    String[] arguments() default {"--server.port={port}"};

    /** A launch that is not ready within this time fails the test. */
    String timeout() default "60s";
}

package dev.tacho.warmup.tests;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.boot.context.event.ApplicationPreparedEvent;

/** An application that starts on a thread of its own, so that somebody can watch. */
public final class Running implements AutoCloseable {

    private static final int PATIENCE_S = 300;

    public final Client client = new Client(this::port);
    private final CompletableFuture<ConfigurableApplicationContext> prepared = new CompletableFuture<>();
    private final CompletableFuture<ConfigurableApplicationContext> started = new CompletableFuture<>();
    private final Thread main;

    private Running(List<Class<?>> configurations, List<String> properties) {
        SpringApplication application = new SpringApplication(configurations.toArray(Class<?>[]::new));
        ApplicationListener<ApplicationPreparedEvent> whenPrepared = event ->
                prepared.complete(event.getApplicationContext());
        application.addListeners(whenPrepared);
        // Tests do not wait for compilers unless they say so.
        application.setDefaultProperties(Map.of("tacho.warmup.at-least", "0"));
        // One that is chosen before could be somebody else's when the server comes to it.
        List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
        properties.forEach(property -> arguments.add("--" + property));
        main = new Thread(() -> {
            try {
                started.complete(application.run(arguments.toArray(String[]::new)));
            } catch (Throwable failed) {
                prepared.completeExceptionally(failed);
                started.completeExceptionally(failed);
            }
        }, "main of the service");
        main.start();
    }

    /** With these properties, each {@code tacho.warmup.x=y} or the like. */
    public static Running service(String... properties) {
        return service(List.of(Service.class), properties);
    }

    public static Running service(List<Class<?>> configurations, String... properties) {
        return new Running(configurations, List.of(properties));
    }

    /** Where it listens; 0 while it does not. */
    int port() {
        if (!prepared.isDone() || prepared.isCompletedExceptionally()) {
            return 0;
        }
        return prepared.join().getEnvironment().getProperty("local.server.port", Integer.class, 0);
    }

    /** When it has started. */
    public ConfigurableApplicationContext context() throws Exception {
        return started.get(PATIENCE_S, TimeUnit.SECONDS);
    }

    /** Why it did not start. */
    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            started.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return failed.getCause();
        }
        throw new AssertionError("it started");
    }

    /**
     * Ends it while it starts, as a signal does: by its shutdown hook, on another thread than the
     * one that starts it.
     */
    void closeWhileItStarts() throws Exception {
        prepared.get(PATIENCE_S, TimeUnit.SECONDS).close();
        main.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
    }

    public <T> T bean(Class<T> type) throws Exception {
        return prepared.get(PATIENCE_S, TimeUnit.SECONDS).getBean(type);
    }

    /** Until the condition holds. */
    static void await(Condition condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain for " + PATIENCE_S + " s");
            }
            Thread.sleep(1);
        }
    }

    /** Something to wait for. */
    @FunctionalInterface
    interface Condition {

        boolean holds() throws Exception;
    }

    @Override
    public void close() throws Exception {
        closeWhileItStarts();
    }
}

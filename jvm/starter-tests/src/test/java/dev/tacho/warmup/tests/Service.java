package dev.tacho.warmup.tests;

import dev.tacho.warmup.mark.WarmUpMark;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service for either stack: what it has in common with every other one, it has from
 * auto-configuration.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Service.Controller.class)
public class Service {

    /** Answers, and counts what it answered to whom. */
    @RestController
    public static class Controller {

        final AtomicInteger warm = new AtomicInteger();
        final AtomicInteger outside = new AtomicInteger();
        volatile String token;
        volatile String posted;

        /** How many requests of the warm-up there were, and how many others. */
        record Counts(int warm, int outside) {

            static Counts of(String body) {
                String[] numbers = body.split(" ");
                return new Counts(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
            }
        }

        @GetMapping("/work")
        String work(@RequestAttribute(name = WarmUpMark.ATTRIBUTE, required = false) Boolean isWarmUp,
                @RequestHeader(name = "X-Warm-Up", required = false) String header) {
            if (isWarmUp != null) {
                token = header;
                return warm.incrementAndGet() + " " + outside.get();
            }
            return warm.get() + " " + outside.incrementAndGet();
        }

        @PostMapping("/orders")
        ResponseEntity<String> order(@RequestBody String body, @RequestHeader("X-Tenant") String tenant) {
            posted = tenant + ": " + body;
            return ResponseEntity.status(HttpStatus.CREATED).body("ordered");
        }

        @GetMapping("/broken")
        ResponseEntity<String> broken() {
            return ResponseEntity.internalServerError().body("broken");
        }

        /** Ten milliseconds, without a thread that waits. */
        @GetMapping("/slow")
        CompletableFuture<String> slow() {
            Executor later = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS);
            return CompletableFuture.supplyAsync(() -> "slow", later);
        }

        /** Longer than anybody waits. */
        @GetMapping("/never")
        CompletableFuture<String> never() {
            Executor later = CompletableFuture.delayedExecutor(Duration.ofMinutes(5).toSeconds(), TimeUnit.SECONDS);
            return CompletableFuture.supplyAsync(() -> "at last", later);
        }
    }
}

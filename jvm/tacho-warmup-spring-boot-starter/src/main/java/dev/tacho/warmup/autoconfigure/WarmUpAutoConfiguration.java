package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.actuate.WarmUpEndpoint;
import dev.tacho.warmup.leave.Leaving;
import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.metrics.WarmUpMeters;
import dev.tacho.warmup.reactive.LeavingWebFilter;
import dev.tacho.warmup.reactive.WarmUpWebFilter;
import dev.tacho.warmup.readiness.Contradiction;
import dev.tacho.warmup.readiness.HeldAvailability;
import dev.tacho.warmup.readiness.Readiness;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.annotated.AnnotatedRequests;
import dev.tacho.warmup.request.openapi.OpenApiRequests;
import dev.tacho.warmup.request.recorded.RecordedRequests;
import dev.tacho.warmup.rule.Rule;
import dev.tacho.warmup.run.Limits;
import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpRunner;
import dev.tacho.warmup.send.Outfit;
import dev.tacho.warmup.servlet.LeavingFilter;
import dev.tacho.warmup.servlet.WarmUpFilter;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Warms the service before it is ready, unless {@code tacho.warmup.enabled} is false. */
@AutoConfiguration(before = ApplicationAvailabilityAutoConfiguration.class)
@ConditionalOnProperty(prefix = "tacho.warmup", name = "enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnWebApplication
@EnableConfigurationProperties(WarmUpProperties.class)
public class WarmUpAutoConfiguration {

    @Bean
    WarmUpMark warmUpMark(WarmUpProperties properties) {
        return new WarmUpMark(properties.mark());
    }

    @Bean
    Readiness warmUpReadiness() {
        return new Readiness();
    }

    @Bean
    @ConditionalOnMissingBean(ApplicationAvailability.class)
    HeldAvailability applicationAvailability(Readiness readiness) {
        return new HeldAvailability(readiness);
    }

    @Bean
    Contradiction warmUpContradiction(Readiness readiness, ConfigurableApplicationContext context) {
        return new Contradiction(readiness, context);
    }

    @Bean
    @ConditionalOnProperty("tacho.warmup.leave")
    Leaving warmUpLeaving(WarmUpProperties properties, Readiness readiness, ApplicationContext context) {
        return new Leaving(properties.leave(), readiness, context);
    }

    @Bean
    WarmUpProgress warmUpProgress() {
        return new WarmUpProgress();
    }

    @Bean
    RequestSource configuredWarmUpRequests(WarmUpProperties properties) {
        return new ConfiguredRequests(properties.requests());
    }

    @Bean
    RequestSource annotatedWarmUpRequests(ApplicationContext context) {
        return new AnnotatedRequests(context);
    }

    @Bean
    @ConditionalOnProperty("tacho.warmup.open-api")
    RequestSource openApiWarmUpRequests(WarmUpProperties properties) {
        return new OpenApiRequests(properties.openApi(), properties.openApiMethods());
    }

    @Bean
    @ConditionalOnProperty("tacho.warmup.targets")
    RequestSource recordedWarmUpRequests(WarmUpProperties properties) {
        return new RecordedRequests(properties.targets());
    }

    @Bean
    WarmUpRunner warmUpRunner(ObjectProvider<RequestSource> sources, WarmUpProperties properties, WarmUpMark mark,
            Readiness readiness, WarmUpProgress progress, ApplicationContext context) {
        long atLeast = Optional.ofNullable(properties.atLeast()).orElseGet(Rule::leastOfThisJvm);
        Rule rule = new Rule(atLeast, properties.atMost(), properties.failures());
        Limits limits = new Limits(rule, properties.within(), properties.connections(), properties.progress());
        Outfit outfit = new Outfit(mark, properties.requestTimeout(), properties.headers());
        return new WarmUpRunner(sources.orderedStream().toList(), limits, properties.onFailure(), outfit, readiness,
                progress, context);
    }

    /** In a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    static class ServletStack {

        @Bean
        WarmUpFilter warmUpFilter(WarmUpMark mark) {
            return new WarmUpFilter(mark);
        }

        @Bean
        @ConditionalOnProperty("tacho.warmup.leave")
        LeavingFilter warmUpLeavingFilter(Leaving leaving) {
            return new LeavingFilter(leaving);
        }

        @Bean
        @ConditionalOnProperty(name = "tacho.warmup.observed", havingValue = "false", matchIfMissing = true)
        dev.tacho.warmup.servlet.TrafficOnly warmUpIsNotObserved() {
            return new dev.tacho.warmup.servlet.TrafficOnly();
        }
    }

    /** In a reactive server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.REACTIVE)
    static class ReactiveStack {

        @Bean
        WarmUpWebFilter warmUpFilter(WarmUpMark mark) {
            return new WarmUpWebFilter(mark);
        }

        @Bean
        @ConditionalOnProperty("tacho.warmup.leave")
        LeavingWebFilter warmUpLeavingFilter(Leaving leaving) {
            return new LeavingWebFilter(leaving);
        }

        @Bean
        @ConditionalOnProperty(name = "tacho.warmup.observed", havingValue = "false", matchIfMissing = true)
        dev.tacho.warmup.reactive.TrafficOnly warmUpIsNotObserved(WarmUpMark mark) {
            return new dev.tacho.warmup.reactive.TrafficOnly(mark);
        }
    }

    /** Where Micrometer is. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.binder.MeterBinder")
    static class Meters {

        @Bean
        WarmUpMeters warmUpMeters(WarmUpProgress progress) {
            return new WarmUpMeters(progress);
        }
    }

    /** Where the actuator is, and the endpoint is to be seen. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Actuator {

        @Bean
        @ConditionalOnAvailableEndpoint
        WarmUpEndpoint warmUpEndpoint(WarmUpProgress progress) {
            return new WarmUpEndpoint(progress);
        }
    }
}

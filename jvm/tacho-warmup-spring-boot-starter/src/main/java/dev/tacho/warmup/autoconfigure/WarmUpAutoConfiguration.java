package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.mark.WarmUpMark;
import dev.tacho.warmup.reactive.WarmUpWebFilter;
import dev.tacho.warmup.readiness.Contradiction;
import dev.tacho.warmup.readiness.HeldAvailability;
import dev.tacho.warmup.readiness.Readiness;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.rule.Rule;
import dev.tacho.warmup.run.Limits;
import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpRunner;
import dev.tacho.warmup.servlet.WarmUpFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Warms the service before it is ready, unless {@code tacho.warmup.enabled} is false. */
@AutoConfiguration(before = ApplicationAvailabilityAutoConfiguration.class)
@ConditionalOnProperty(prefix = "tacho.warmup", name = "enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnWebApplication
@EnableConfigurationProperties(WarmUpProperties.class)
public class WarmUpAutoConfiguration {

    @Bean
    WarmUpMark warmUpMark(WarmUpProperties properties) {
        return new WarmUpMark(properties.header());
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
    Contradiction warmUpContradiction(Readiness readiness, ApplicationEventPublisher publisher) {
        return new Contradiction(readiness, publisher);
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
    WarmUpRunner warmUpRunner(ObjectProvider<RequestSource> sources, WarmUpProperties properties, WarmUpMark mark,
            Readiness readiness, WarmUpProgress progress, Environment environment) {
        Rule rule = new Rule(properties.atLeast(), properties.atMost(), properties.failures());
        Limits limits = new Limits(rule, properties.within(), properties.connections(), properties.progress());
        return new WarmUpRunner(sources.orderedStream().toList(), limits, properties.onFailure(),
                properties.requestTimeout(), mark, readiness, progress, environment);
    }

    /** In a servlet container. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = Type.SERVLET)
    static class ServletStack {

        @Bean
        WarmUpFilter warmUpFilter(WarmUpMark mark) {
            return new WarmUpFilter(mark);
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
    }
}

package fr.cantine.labels.food;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;

@Configuration(proxyBeanMethods = false)
public class FoodTableConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(FoodTableConfiguration.class);

    @Bean
    WebClient foodTableHttp(FoodTableProperties properties, ObjectProvider<FoodTableStub> stub) {
        String url = properties.stubbed() ? stub.getObject().url() : properties.url();
        LOG.info("Food table at {}", url);
        return WebClient.builder().baseUrl(url).build();
    }
}

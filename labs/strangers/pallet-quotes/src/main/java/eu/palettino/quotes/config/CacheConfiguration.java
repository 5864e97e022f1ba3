package eu.palettino.quotes.config;

import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableCaching
public class CacheConfiguration {

    public static final String RATE_TABLES = "rateTables";

    @Bean
    CacheManager cacheManager() {
        return new ConcurrentMapCacheManager(RATE_TABLES);
    }
}

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

    /** Nobody may change a table under the feet of others. */
    @Bean
    CacheManager cacheManager() {
        ConcurrentMapCacheManager caches = new ConcurrentMapCacheManager(RATE_TABLES);
        caches.setStoreByValue(true);
        caches.setAllowNullValues(false);
        return caches;
    }
}

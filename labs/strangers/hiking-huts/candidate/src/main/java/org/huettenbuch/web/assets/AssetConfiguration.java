package org.huettenbuch.web.assets;

import org.huettenbuch.web.page.PageHeaders;

import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.EncodedResourceResolver;
import org.springframework.web.servlet.resource.ResourceUrlEncodingFilter;
import org.springframework.web.servlet.resource.VersionResourceResolver;

/**
 * Styles, scripts and pictures carry a hash of their content in their names, kept for a year.
 * Where the build has left a compressed copy beside a file, that one is served.
 */
@Configuration
public class AssetConfiguration implements WebMvcConfigurer {

    private static final String ASSETS = "/assets/**";
    private static final CacheControl A_YEAR = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

    private final PageHeaders pageHeaders;

    public AssetConfiguration(PageHeaders pageHeaders) {
        this.pageHeaders = pageHeaders;
    }

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler(ASSETS)
                .addResourceLocations("classpath:/assets/")
                .setCacheControl(A_YEAR)
                .resourceChain(false)
                .addResolver(compressed())
                .addResolver(versioned());
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(pageHeaders).excludePathPatterns(ASSETS);
    }

    @Bean
    ResourceUrlEncodingFilter resourceUrlEncodingFilter() {
        return new ResourceUrlEncodingFilter();
    }

    private static EncodedResourceResolver compressed() {
        EncodedResourceResolver resolver = new EncodedResourceResolver();
        resolver.setContentCodings(List.of("gzip"));
        return resolver;
    }

    private static VersionResourceResolver versioned() {
        return new VersionResourceResolver().addContentVersionStrategy("/**");
    }
}

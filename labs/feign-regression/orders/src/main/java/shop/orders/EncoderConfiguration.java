package shop.orders;

import feign.codec.Encoder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.openfeign.support.SpringEncoder;
import org.springframework.context.annotation.Bean;

/**
 * How the bodies of requests are written. Without {@code encoder} as Spring Cloud does it, by
 * converters that are made once; with it as the article's encoder: Feign asks for the converters
 * with each body.
 */
public class EncoderConfiguration {
    @Bean
    @ConditionalOnProperty("encoder")
    public Encoder feignEncoder(
            @Value("${encoder:}") String encoder, @Value("${json:jackson}") String json) {
        return new SpringEncoder(DecoderConfiguration.converters(encoder, json));
    }
}

package shop.orders;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import feign.codec.Decoder;
import java.util.Collections;
import java.util.function.Supplier;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.http.HttpMessageConverters;
import org.springframework.cloud.openfeign.support.ResponseEntityDecoder;
import org.springframework.cloud.openfeign.support.SpringDecoder;
import org.springframework.context.annotation.Bean;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.util.ClassUtils;

/**
 * How answers of other services are read: they may have more fields than we know. Of the Feign
 * client alone, hence no {@code @Configuration}.
 */
public class DecoderConfiguration {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final String FAST_JSON = "com.alibaba.fastjson.support.spring.FastJsonHttpMessageConverter";

    /** The article's decoder. Feign asks for the converters with each response. */
    @Bean
    public Decoder feignDecoder(
            @Value("${decoder:each}") String decoder, @Value("${json:jackson}") String json) {
        // The one constructor that all versions of Spring Cloud have, so that all can be counted.
        return new ResponseEntityDecoder(new SpringDecoder(converters(decoder, json)));
    }

    /**
     * What Feign gets when it asks for the converters: {@code each} new ones, with those that
     * Spring adds to ours; {@code bare} new ones, ours alone; {@code once} always the same.
     */
    static ObjectFactory<HttpMessageConverters> converters(String made, String json) {
        Supplier<HttpMessageConverter<?>> ours = ours(json);
        switch (made) {
            case "each":
                return () -> new HttpMessageConverters(ours.get());
            case "bare":
                return () -> new HttpMessageConverters(false, Collections.singletonList(ours.get()));
            case "once":
                HttpMessageConverters converters = new HttpMessageConverters(ours.get());
                return () -> converters;
            default:
                throw new IllegalArgumentException("decoder and encoder may be each, bare or once, not " + made);
        }
    }

    private static Supplier<HttpMessageConverter<?>> ours(String json) {
        switch (json) {
            case "jackson":
                return () -> new MappingJackson2HttpMessageConverter(MAPPER);
            case "fastjson":
                // By name, since it is in the article's packages alone.
                Class<?> type = ClassUtils.resolveClassName(FAST_JSON, DecoderConfiguration.class.getClassLoader());
                return () -> (HttpMessageConverter<?>) BeanUtils.instantiateClass(type);
            default:
                throw new IllegalArgumentException("json may be jackson or fastjson, not " + json);
        }
    }
}

package shop.orders;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import feign.codec.Decoder;
import java.util.List;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.http.HttpMessageConverters;
import org.springframework.cloud.openfeign.support.HttpMessageConverterCustomizer;
import org.springframework.cloud.openfeign.support.ResponseEntityDecoder;
import org.springframework.cloud.openfeign.support.SpringDecoder;
import org.springframework.context.annotation.Bean;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;

/**
 * How answers of other services are read: they may have more fields than we know. Of the Feign
 * client alone, hence no {@code @Configuration}.
 */
public class DecoderConfiguration {
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /**
     * The article's decoder. Feign asks for the converters with each response; what {@code decoder}
     * says is what it gets: {@code each} new ones, with those that Spring adds to ours;
     * {@code bare} new ones, ours alone; {@code once} always the same.
     */
    @Bean
    public Decoder feignDecoder(@Value("${decoder:each}") String decoder,
            ObjectProvider<HttpMessageConverterCustomizer> customizers) {
        return new ResponseEntityDecoder(new SpringDecoder(converters(decoder), customizers));
    }

    private static ObjectFactory<HttpMessageConverters> converters(String decoder) {
        switch (decoder) {
            case "each":
                return () -> new HttpMessageConverters(new MappingJackson2HttpMessageConverter(MAPPER));
            case "bare":
                return () -> new HttpMessageConverters(false, List.of(new MappingJackson2HttpMessageConverter(MAPPER)));
            case "once":
                HttpMessageConverters converters =
                        new HttpMessageConverters(new MappingJackson2HttpMessageConverter(MAPPER));
                return () -> converters;
            default:
                throw new IllegalArgumentException("decoder may be each, bare or once, not " + decoder);
        }
    }
}

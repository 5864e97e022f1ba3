package counts;

import feign.Request;
import feign.RequestTemplate;
import feign.Response;
import feign.codec.Decoder;
import feign.codec.Encoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.Callable;
import shop.orders.DecoderConfiguration;
import shop.orders.EncoderConfiguration;
import shop.orders.Price;
import shop.orders.Wanted;

/**
 * What Feign does with one call of another service, without the call: the body is encoded and the
 * answer decoded, by the encoder and the decoder of the service under test. Without an encoder
 * nothing is encoded. It gives the cents of the price.
 */
public final class FeignCall implements Callable<Object> {
    private static final Map<String, Collection<String>> JSON =
            Collections.singletonMap("Content-Type", Collections.singleton("application/json"));
    private static final byte[] ANSWER = "{\"item\": \"item-1\", \"cents\": 5}".getBytes(StandardCharsets.UTF_8);

    private final Encoder encoder;
    private final Decoder decoder;

    public FeignCall(String encoder, String decoder, String json) {
        this.encoder = encoder.isEmpty() ? null : new EncoderConfiguration().feignEncoder(encoder, json);
        this.decoder = new DecoderConfiguration().feignDecoder(decoder, json);
    }

    @Override
    public Object call() throws Exception {
        byte[] body = new byte[0];
        if (encoder != null) {
            RequestTemplate template = new RequestTemplate();
            template.header("Content-Type", "application/json");
            encoder.encode(Wanted.one("item-1"), Wanted.class, template);
            body = template.body();
        }
        Request request = Request.create(
                Request.HttpMethod.POST, "http://prices/prices", JSON, body, StandardCharsets.UTF_8);
        Response response = Response.builder()
                .status(200)
                .reason("OK")
                .request(request)
                .headers(JSON)
                .body(ANSWER)
                .build();
        return ((Price) decoder.decode(response, Price.class)).cents;
    }
}

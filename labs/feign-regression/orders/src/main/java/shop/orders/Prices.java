package shop.orders;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The service that knows the prices, wherever the registry says that it is. */
@FeignClient(name = "prices", configuration = DecoderConfiguration.class)
public interface Prices {
    @GetMapping("/prices/{item}")
    Price of(@PathVariable("item") String item);
}

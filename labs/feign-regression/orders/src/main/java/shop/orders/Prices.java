package shop.orders;

import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** The service that knows the prices, wherever the registry says that it is. */
@FeignClient(name = "prices", configuration = {DecoderConfiguration.class, EncoderConfiguration.class})
public interface Prices {
    /** Nothing is encoded: there is no body. */
    @GetMapping("/prices/{item}")
    Price of(@PathVariable("item") String item);

    /** Encoded and decoded, as the calls of the article are. */
    @PostMapping(path = "/prices", consumes = "application/json")
    Price of(@RequestBody Wanted wanted);
}

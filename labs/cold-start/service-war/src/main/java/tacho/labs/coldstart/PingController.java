package tacho.labs.coldstart;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * The whole of the service: the cost that is left is the cost of the framework and its packaging.
 */
@RestController
class PingController {

    @GetMapping("/ping")
    String ping() {
        return "pong";
    }
}

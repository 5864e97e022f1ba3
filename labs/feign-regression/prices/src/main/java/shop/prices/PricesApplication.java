package shop.prices;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Knows what things cost. */
@SpringBootApplication
public class PricesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PricesApplication.class, arguments);
    }
}

package shop.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.cloud.openfeign.EnableFeignClients;

/** Orders with today's prices. Starts by itself, or in a servlet container. */
@SpringBootApplication
@EnableFeignClients
public class OrdersApplication extends SpringBootServletInitializer {
    public static void main(String[] arguments) {
        SpringApplication.run(OrdersApplication.class, arguments);
    }

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
        return builder.sources(OrdersApplication.class);
    }
}

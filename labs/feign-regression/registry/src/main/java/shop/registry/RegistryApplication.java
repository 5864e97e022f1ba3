package shop.registry;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;

/** Says which service is where. */
@SpringBootApplication
@EnableEurekaServer
public class RegistryApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RegistryApplication.class, arguments);
    }
}

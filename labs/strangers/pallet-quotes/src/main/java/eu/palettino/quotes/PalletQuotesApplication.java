package eu.palettino.quotes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class PalletQuotesApplication {

    public static void main(String[] args) {
        SpringApplication.run(PalletQuotesApplication.class, args);
    }
}

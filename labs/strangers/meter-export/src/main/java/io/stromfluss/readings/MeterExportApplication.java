package io.stromfluss.readings;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class MeterExportApplication {

    public static void main(String[] args) {
        SpringApplication.run(MeterExportApplication.class, args);
    }
}

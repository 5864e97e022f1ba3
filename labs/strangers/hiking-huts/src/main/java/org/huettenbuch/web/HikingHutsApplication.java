package org.huettenbuch.web;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class HikingHutsApplication {

    public static void main(String[] args) {
        SpringApplication.run(HikingHutsApplication.class, args);
    }
}

package com.teilwerk.offers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class SparePartOffersApplication {

    public static void main(String[] args) {
        SpringApplication.run(SparePartOffersApplication.class, args);
    }
}

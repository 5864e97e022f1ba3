package com.apofinder.pharmacies;

import com.apofinder.pharmacies.seed.SampleProperties;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

@SpringBootApplication
@EnableConfigurationProperties(SampleProperties.class)
public class PharmacyHoursApplication {

    public static void main(String[] args) {
        SpringApplication.run(PharmacyHoursApplication.class, args);
    }
}

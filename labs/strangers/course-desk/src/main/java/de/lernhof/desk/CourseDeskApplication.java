package de.lernhof.desk;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class CourseDeskApplication {

    public static void main(String[] args) {
        SpringApplication.run(CourseDeskApplication.class, args);
    }
}

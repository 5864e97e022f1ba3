package com.mautwerk.statements;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication
@ConfigurationPropertiesScan
public class TollStatementsApplication {

    public static void main(String[] args) {
        SpringApplication.run(TollStatementsApplication.class, args);
    }
}

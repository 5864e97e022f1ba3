package tacho.labs.coldstart;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ColdStartApplication {

    public static void main(String[] args) {
        SpringApplication.run(ColdStartApplication.class, args);
    }
}

package tacho.labs.coldstart;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/**
 * Where Tomcat enters: the servlet container finds it by the {@code ServletContainerInitializer} of
 * Spring.
 */
@SpringBootApplication
public class ColdStartWar extends SpringBootServletInitializer {

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
        return application.sources(ColdStartWar.class);
    }
}

package dev.tacho.warmup.request.annotated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.request.annotated.AnnotatedRequests.BasePath;
import dev.tacho.warmup.request.annotated.AnnotatedRequests.Mapping;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

class MappingTest {

    interface Api {

        @DeleteMapping("/{id}")
        void ofAnInterface();
    }

    @RequestMapping("/owners/")
    static class Controller implements Api {

        @GetMapping
        void ofTheClass() {
        }

        @RequestMapping(path = {"new", "also"}, method = RequestMethod.PUT)
        void ofTwoPaths() {
        }

        @Override
        public void ofAnInterface() {
        }

        void none() {
        }
    }

    private static Optional<Mapping> mapping(String method) throws NoSuchMethodException {
        return Mapping.of(Controller.class, Controller.class.getDeclaredMethod(method));
    }

    @Test
    void methodAndPathAreThoseOfTheAnnotations() throws NoSuchMethodException {
        assertThat(mapping("ofTheClass")).contains(new Mapping("GET", "/owners"));
        assertThat(mapping("ofTwoPaths")).contains(new Mapping("PUT", "/owners/new"));
        assertThat(mapping("ofAnInterface")).contains(new Mapping("DELETE", "/owners/{id}"));
        assertThat(mapping("none")).isEmpty();
    }

    @Test
    void clientsWriteTheContextPathBeforeThem() {
        StandardEnvironment environment = new StandardEnvironment();
        assertThat(BasePath.of(environment).with("/a")).isEqualTo("/a");
        environment.getPropertySources().addFirst(new MapPropertySource("test",
                Map.of("server.servlet.context-path", "/shop", "spring.mvc.servlet.path", "/api/")));
        assertThat(BasePath.of(environment).with("a")).isEqualTo("/shop/api/a");
    }
}

package tacho.labs.quarkus;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.jboss.resteasy.reactive.RestQuery;

@Path("/hello")
public class GreetingResource {

    /** An answer in JSON. */
    public record Greeting(String message) {
    }

    @GET
    public Greeting hello(@RestQuery String name) {
        return new Greeting("hello, " + (name == null ? "world" : name));
    }
}

package tacho.labs.nativegc;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.stream.IntStream;

/** Answers that leave little and some more for the collector. */
@Path("/")
public class GreetingResource {

    /** A line of an order. */
    public record Line(int number, String article, double price) {
    }

    /** What is written as JSON. */
    public record Order(String customer, List<Line> lines) {
    }

    @GET
    @Path("plain")
    @Produces(MediaType.TEXT_PLAIN)
    public String plain() {
        return "hello";
    }

    @GET
    @Path("json")
    @Produces(MediaType.APPLICATION_JSON)
    public Order json() {
        return new Order("ann", IntStream.rangeClosed(1, 20).mapToObj(n -> new Line(n, "article " + n, n * 1.5)).toList());
    }
}

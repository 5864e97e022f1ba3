package tacho.labs.strings;

import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** The paths. */
@Path("/")
public class StringResource {

    private final Application application;

    @Inject
    public StringResource(Application application) {
        this.application = application;
    }

    @POST
    @Path("uppercase")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response uppercase(Text text) {
        return json(application.uppercase(text.s()));
    }

    @POST
    @Path("count")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response count(Text text) {
        return json(application.count(text.s()));
    }

    @GET
    @Path("health")
    public Response health() {
        return json(Json.health());
    }

    @GET
    @Path("metrics")
    public Response metrics() {
        return Response.ok(application.metrics(), application.metricsType()).build();
    }

    private static Response json(byte[] body) {
        return Response.ok(body, MediaType.APPLICATION_JSON_TYPE).build();
    }
}

package tacho.labs.strings;

import jakarta.ws.rs.core.UriBuilder;
import java.io.IOException;
import java.net.URI;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.internal.inject.AbstractBinder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/**
 * The string service on Jakarta REST: Jersey on Grizzly, as Jersey's own quick start sets it up.
 */
public final class JaxrsServer {

    private JaxrsServer() {
    }

    public static void main(String[] args) throws IOException {
        URI address = UriBuilder.fromUri("http://0.0.0.0/").port(Application.port()).build();
        Application application = new Application();
        ResourceConfig resources = new ResourceConfig()
                .register(StringResource.class)
                .register(new AbstractBinder() {
                    @Override
                    protected void configure() {
                        bind(application).to(Application.class);
                    }
                })
                .register(ContentTypes.class)
                .register(TextReader.class)
                .register(Refusals.Ours.class)
                .register(Refusals.Jerseys.class)
                // Nobody reads the description of the paths that Jersey would make.
                .property(ServerProperties.WADL_FEATURE_DISABLE, true);
        HttpServer server = GrizzlyHttpServerFactory.createHttpServer(address, resources, false);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        server.start();
        System.out.println("listening on port " + address.getPort());
    }
}

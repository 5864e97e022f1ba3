package org.wanderwege.trails;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.wanderwege.trails.http.Router;
import org.wanderwege.trails.profile.DifficultyRating;
import org.wanderwege.trails.profile.ProfileHandler;
import org.wanderwege.trails.profile.ProfileService;
import org.wanderwege.trails.terrain.ElevationModel;
import org.wanderwege.trails.terrain.SpikeFilter;
import org.wanderwege.trails.terrain.TerrainSource;
import org.wanderwege.trails.trail.TrailCatalogue;
import org.wanderwege.trails.trail.TrailListHandler;

/** Starts the service that draws elevation profiles of hiking trails. */
public final class TrailServer {

    private static final Logger LOG = Logger.getLogger(TrailServer.class.getName());
    private static final int WORKERS = 16;
    private static final int BACKLOG = 256;

    private TrailServer() {
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = port();
        ElevationModel terrain = new SpikeFilter(35f).apply(new TerrainSource(20240611L).load());
        TrailCatalogue catalogue = TrailCatalogue.standard(terrain);
        ProfileService profiles = new ProfileService(terrain, new DifficultyRating());

        Router router = new Router();
        router.get("/trails", new TrailListHandler(catalogue));
        router.get("/trails/{id}/profile", new ProfileHandler(catalogue, profiles));

        ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        HttpServer server = HttpServer.create(new InetSocketAddress(port), BACKLOG);
        server.createContext("/", router);
        server.setExecutor(workers);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop(0);
            workers.shutdownNow();
        }));
        server.start();
        LOG.log(Level.INFO, "Trail profiles on port {0}, {1} trails, terrain of {2} x {3} cells",
                new Object[] {Integer.toString(port), catalogue.size(), terrain.columns(), terrain.rows()});
    }

    private static int port() {
        String configured = System.getenv("TRAILS_PORT");
        return configured == null || configured.isBlank() ? 8080 : Integer.parseInt(configured.trim());
    }
}

package com.helioroof.estimate;

import com.helioroof.estimate.calc.YieldCache;
import com.helioroof.estimate.calc.YieldCalculator;
import com.helioroof.estimate.calc.YieldService;
import com.helioroof.estimate.roof.RoofCatalogue;
import com.helioroof.estimate.sun.Climate;
import com.helioroof.estimate.web.HealthServlet;
import com.helioroof.estimate.web.RoofServlet;
import com.helioroof.estimate.web.YieldServlet;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Launcher {

    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);
    private static final int CACHED_YIELDS = 2_000;

    private Launcher() {
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(System.getenv().getOrDefault("ROOF_PORT", "8080"));

        RoofCatalogue roofs = RoofCatalogue.sample();
        YieldService yields = new YieldService(
                roofs, new YieldCalculator(Climate.centralEurope()), new YieldCache(CACHED_YIELDS));

        QueuedThreadPool threads = new QueuedThreadPool(48, 8);
        threads.setName("http");
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server);
        connector.setPort(port);
        server.addConnector(connector);

        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/");
        context.addServlet(new ServletHolder(new RoofServlet(roofs)), "/roofs");
        context.addServlet(new ServletHolder(new YieldServlet(yields)), "/yields/*");
        context.addServlet(new ServletHolder(new HealthServlet(yields)), "/health");
        server.setHandler(context);

        server.setStopAtShutdown(true);
        server.start();
        LOG.info("Yields of {} roofs on port {}", roofs.size(), port);
        server.join();
    }
}

package com.assura.claims.admin;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

import java.util.concurrent.atomic.AtomicBoolean;

/** The port for operators; it answers from the beginning so that the platform sees a slow start. */
public final class AdminServer {

    private final Server server;
    private final AtomicBoolean ready = new AtomicBoolean();

    public AdminServer(int port, Counters counters) {
        QueuedThreadPool threads = new QueuedThreadPool(8, 4);
        threads.setName("admin");
        server = new Server(threads);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new AdminHandler(counters, ready::get));
    }

    public void start() throws Exception {
        server.start();
    }

    public void ready() {
        ready.set(true);
    }
}

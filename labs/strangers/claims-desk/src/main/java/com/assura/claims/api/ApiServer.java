package com.assura.claims.api;

import com.assura.claims.admin.Counters;
import com.assura.claims.claim.ClaimRepository;
import com.assura.claims.rules.RuleEngine;
import com.assura.claims.trace.CorrelationIds;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

public final class ApiServer {

    private final Server server;

    public ApiServer(int port, ClaimRepository claims, RuleEngine engine, CorrelationIds ids, Counters counters) {
        QueuedThreadPool threads = new QueuedThreadPool(64, 8);
        threads.setName("api");
        server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new AssessmentHandler(claims, engine, ids, counters));
    }

    public void start() throws Exception {
        server.start();
    }
}

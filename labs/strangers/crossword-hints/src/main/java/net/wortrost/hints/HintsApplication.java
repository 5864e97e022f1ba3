package net.wortrost.hints;

import net.wortrost.hints.http.HintsHandler;
import net.wortrost.hints.lexicon.Lexicon;
import net.wortrost.hints.lexicon.LexiconBuilder;
import net.wortrost.hints.search.HintFinder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public class HintsApplication {

    private static final Logger LOG = LoggerFactory.getLogger(HintsApplication.class);

    public static void main(String[] args) throws Exception {
        String portText = System.getenv("HINTS_PORT");
        int port = portText == null ? 8080 : Integer.parseInt(portText);

        Lexicon lexicon = new LexiconBuilder().build();
        HintFinder finder = new HintFinder(lexicon);

        QueuedThreadPool threads = new QueuedThreadPool(40, 8);
        Server server = new Server(threads);
        ServerConnector connector = new ServerConnector(server);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(new HintsHandler(lexicon, finder));
        server.setStopAtShutdown(true);
        server.start();
        LOG.info("Hints from {} words on port {}", lexicon.size(), port);
        server.join();
    }
}

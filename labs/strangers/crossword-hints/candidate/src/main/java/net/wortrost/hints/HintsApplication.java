package net.wortrost.hints;

import net.wortrost.hints.http.HintsResource;
import net.wortrost.hints.http.LexiconResource;
import net.wortrost.hints.http.Reply;
import net.wortrost.hints.http.Router;
import net.wortrost.hints.lexicon.Lexicon;
import net.wortrost.hints.lexicon.LexiconBuilder;
import net.wortrost.hints.search.HintFinder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class HintsApplication {

    private static final Logger LOG = LoggerFactory.getLogger(HintsApplication.class);

    private HintsApplication() {
    }

    public static void main(String[] args) throws Exception {
        int port = Integer.parseInt(System.getenv().getOrDefault("HINTS_PORT", "8080"));

        Lexicon lexicon = new LexiconBuilder().build();
        Router router = new Router()
                .get("/hints", new HintsResource(new HintFinder(lexicon)))
                .get("/lexicon", new LexiconResource(lexicon))
                .get("/health", query -> new Reply.Text("UP"));

        Server server = new Server(new QueuedThreadPool(40, 8));
        ServerConnector connector = new ServerConnector(server);
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(router);
        server.setStopAtShutdown(true);
        server.start();
        LOG.info("Hints from {} words on port {}", lexicon.size(), port);
        server.join();
    }
}

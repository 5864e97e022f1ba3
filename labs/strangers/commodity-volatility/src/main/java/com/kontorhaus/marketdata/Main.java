package com.kontorhaus.marketdata;

import com.kontorhaus.marketdata.gateway.GatewayConfig;
import com.kontorhaus.marketdata.gateway.HistoryChannel;
import com.kontorhaus.marketdata.gateway.HistoryClient;
import com.kontorhaus.marketdata.history.HistoryServer;
import com.kontorhaus.marketdata.http.Gateway;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class Main {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        GatewayConfig config = GatewayConfig.load("/gateway.properties");
        HistoryServer history = HistoryServer.start(config.historyPort());
        HistoryChannel channel = HistoryChannel.open(config, history.port());
        Gateway gateway = new Gateway(config, new HistoryClient(channel, config));
        int port = gateway.start(port());
        LOG.info("Gateway listening on port {}, history on port {}", port, history.port());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            gateway.stop();
            channel.close();
            history.stop();
        }, "shutdown"));
    }

    private static int port() {
        String value = System.getenv("APP_PORT");
        return value == null || value.isBlank() ? 7070 : Integer.parseInt(value.trim());
    }
}

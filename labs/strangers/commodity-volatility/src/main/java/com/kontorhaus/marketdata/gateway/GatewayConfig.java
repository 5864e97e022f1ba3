package com.kontorhaus.marketdata.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Properties;

/** The gateway's properties, typed. A system property of the same name goes before the file. */
public class GatewayConfig {

    private final Properties properties;

    private GatewayConfig(Properties properties) {
        this.properties = properties;
    }

    public static GatewayConfig load(String resource) {
        Properties properties = new Properties();
        try (InputStream stream = GatewayConfig.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("No configuration " + resource);
            }
            properties.load(stream);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new GatewayConfig(properties);
    }

    private String text(String name) {
        String value = System.getProperty(name, properties.getProperty(name));
        if (value == null) {
            throw new IllegalStateException("Property " + name + " is not set");
        }
        return value.trim();
    }

    private int number(String name) {
        String value = text(name);
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalStateException("Property " + name + " is no number: " + value, e);
        }
    }

    public String historyHost() {
        return text("history.host");
    }

    public int historyPort() {
        return number("history.port");
    }

    public Duration deadline() {
        return Duration.ofMillis(number("history.deadline-millis"));
    }

    public String userAgent() {
        return text("history.user-agent");
    }

    public Duration keepAlive() {
        return Duration.ofSeconds(number("history.channel.keepalive-seconds"));
    }

    public Duration idle() {
        return Duration.ofMinutes(number("history.channel.idle-minutes"));
    }

    public int flowControlWindow() {
        return number("history.channel.flow-control-window");
    }

    public int maxInboundMessageBytes() {
        return number("history.channel.max-inbound-message-bytes");
    }

    public int tradingDays() {
        return number("analysis.trading-days");
    }

    public int mostDays() {
        return number("analysis.most-days");
    }
}

package dev.tacho.warmup.send;

import java.net.URI;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Where the service's own server listens. */
public final class LocalServer {

    /** Spring Boot sets it when the server has started, whatever its version and stack. */
    private static final String PORT = "local.server.port";

    private LocalServer() {
    }

    /** Its address; empty when the application has no server of its own. */
    public static Optional<URI> of(Environment environment) {
        Integer port = environment.getProperty(PORT, Integer.class);
        if (port == null || port <= 0) {
            return Optional.empty();
        }
        return Optional.of(URI.create((speaksTls(environment) ? "https" : "http") + "://" + host(environment) + ":"
                + port));
    }

    private static String host(Environment environment) {
        String address = environment.getProperty("server.address", "");
        boolean isAny = address.isBlank() || address.equals("0.0.0.0") || address.equals("::");
        if (isAny) {
            return "127.0.0.1";
        }
        return address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    /** Asks for each property by its name: a variable such as SERVER_SSL_KEYSTORE has no dash. */
    private static boolean speaksTls(Environment environment) {
        Binder binder = Binder.get(environment);
        boolean isConfigured = Stream.of("bundle", "key-store", "certificate")
                .anyMatch(name -> binder.bind("server.ssl." + name, String.class).isBound());
        return isConfigured && environment.getProperty("server.ssl.enabled", Boolean.class, true);
    }
}

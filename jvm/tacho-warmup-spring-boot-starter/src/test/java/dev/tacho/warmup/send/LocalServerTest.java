package dev.tacho.warmup.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class LocalServerTest {

    private static final String VARIABLES = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;

    /** Of a service that has these properties and these variables of the environment. */
    private static String address(Map<String, Object> properties, Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().replace(VARIABLES, new SystemEnvironmentPropertySource(VARIABLES, variables));
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        environment.getPropertySources()
                .addFirst(new MapPropertySource("server.ports", Map.of("local.server.port", 8443)));
        ConfigurationPropertySources.attach(environment);
        return LocalServer.of(environment).map(URI::toString).orElse("none");
    }

    @Test
    void aServerWithACertificateSpeaksTlsHoweverThatIsSaid() {
        assertThat(address(Map.of(), Map.of())).isEqualTo("http://127.0.0.1:8443");
        for (String property : new String[] {"server.ssl.key-store", "server.ssl.keyStore", "server.ssl.bundle",
                "server.ssl.certificate"}) {
            assertThat(address(Map.of(property, "shop"), Map.of())).as(property).isEqualTo("https://127.0.0.1:8443");
        }
        for (String variable : new String[] {"SERVER_SSL_KEYSTORE", "SERVER_SSL_KEY_STORE", "SERVER_SSL_BUNDLE",
                "SERVER_SSL_CERTIFICATE"}) {
            assertThat(address(Map.of(), Map.of(variable, "shop"))).as(variable).isEqualTo("https://127.0.0.1:8443");
        }
        assertThat(address(Map.of("server.ssl.enabled", "false"), Map.of("SERVER_SSL_KEYSTORE", "shop")))
                .isEqualTo("http://127.0.0.1:8443");
    }
}

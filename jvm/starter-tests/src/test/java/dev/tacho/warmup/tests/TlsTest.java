package dev.tacho.warmup.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.run.WarmUpProgress;
import dev.tacho.warmup.run.WarmUpReport;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that speaks TLS is warmed through TLS, whatever name its certificate is made out to. */
class TlsTest {

    @Test
    void itsOwnCertificateIsTrusted(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "shop", "-keyalg", "EC", "-dname", "CN=shop.example", "-storetype", "PKCS12",
                "-keystore", store.toString(), "-storepass", "changeit").inheritIO().start();
        assertThat(keytool.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        try (Running service = Running.service("tacho.warmup.requests[0].path=/work", "tacho.warmup.at-most=10",
                "server.ssl.key-store=" + store, "server.ssl.key-store-password=changeit")) {
            service.context();
            WarmUpReport report = service.bean(WarmUpProgress.class).report();
            assertThat(report.url()).startsWith("https://127.0.0.1:");
            assertThat(report.lastFailure()).isNull();
            assertThat(report.answered()).isEqualTo(10);
        }
    }
}

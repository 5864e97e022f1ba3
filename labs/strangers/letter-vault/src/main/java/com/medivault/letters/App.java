package com.medivault.letters;

import com.medivault.letters.archive.LetterArchive;
import com.medivault.letters.archive.SampleLetters;
import com.medivault.letters.crypto.Fingerprints;
import com.medivault.letters.crypto.Sealer;
import com.medivault.letters.crypto.VaultKeys;
import com.medivault.letters.web.LetterController;
import com.medivault.letters.web.StatusController;
import io.javalin.Javalin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static io.javalin.apibuilder.ApiBuilder.get;
import static io.javalin.apibuilder.ApiBuilder.path;

public final class App {

    private static final Logger LOG = LoggerFactory.getLogger(App.class);

    private App() {
    }

    public static void main(String[] args) {
        int port = Integer.parseInt(System.getenv().getOrDefault("SERVER_PORT", "8080"));
        String passphrase = System.getenv().getOrDefault("VAULT_PASSPHRASE", "only-for-development");

        VaultKeys keys = VaultKeys.derive(passphrase.toCharArray());
        LetterArchive archive = new LetterArchive(new Sealer(keys), new Fingerprints());
        new SampleLetters().fill(archive);

        LetterController letters = new LetterController(archive);
        StatusController status = new StatusController(archive);
        Javalin app = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.router.apiBuilder(() -> {
                path("/letters", () -> {
                    get(letters::list);
                    path("/{number}", () -> {
                        get(letters::summary);
                        get("/text", letters::text);
                    });
                });
                get("/status", status::show);
            });
        });
        app.exception(IllegalArgumentException.class, (e, ctx) -> ctx.status(400).result(e.getMessage()));
        app.start(port);
        Runtime.getRuntime().addShutdownHook(new Thread(app::stop, "shutdown"));
        LOG.info("Letter vault listens on port {}, {} letters, {} bytes sealed", app.port(), archive.size(), archive.sealedBytes());
    }
}

package com.medivault.letters.web;

import com.medivault.letters.archive.LetterArchive;
import com.medivault.letters.archive.OpenedLetter;
import com.medivault.letters.letter.Letter;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.regex.Pattern;

public final class LetterController {

    private static final Logger LOG = LoggerFactory.getLogger(LetterController.class);
    private static final Pattern NUMBER = Pattern.compile("L-\\d{4}");
    private static final int OPENING = 120;

    private final LetterArchive archive;

    public LetterController(LetterArchive archive) {
        this.archive = archive;
    }

    public void list(Context ctx) {
        ctx.contentType(ContentType.APPLICATION_JSON).result("[\"" + String.join("\",\"", archive.numbers()) + "\"]");
    }

    public void summary(Context ctx) {
        OpenedLetter opened = require(ctx);
        Letter letter = opened.letter();
        ctx.contentType(ContentType.APPLICATION_JSON).result(new Json()
                .text("number", opened.number())
                .text("subject", letter.subject())
                .text("from", letter.sender())
                .text("to", letter.recipient())
                .text("written", letter.written().toString())
                .number("pages", letter.pages())
                .number("paragraphs", letter.paragraphs().size())
                .text("opening", letter.opening(OPENING))
                .text("fingerprint", opened.fingerprint())
                .flag("intact", opened.intact())
                .end());
    }

    public void text(Context ctx) {
        Letter letter = require(ctx).letter();
        ctx.contentType(ContentType.TEXT_PLAIN).result(String.join("\n\n", letter.paragraphs()));
    }

    private OpenedLetter require(Context ctx) {
        String number = ctx.pathParam("number");
        if (!NUMBER.matcher(number).matches()) {
            throw new IllegalArgumentException("Not a letter number: " + number);
        }
        LOG.debug("Opening letter {}", number);
        return archive.open(number).orElseThrow(() -> new NotFoundResponse("No letter " + number));
    }
}

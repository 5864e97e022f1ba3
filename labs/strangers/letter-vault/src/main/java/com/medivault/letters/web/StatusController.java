package com.medivault.letters.web;

import com.medivault.letters.archive.LetterArchive;
import io.javalin.http.ContentType;
import io.javalin.http.Context;

public final class StatusController {

    private final LetterArchive archive;

    public StatusController(LetterArchive archive) {
        this.archive = archive;
    }

    public void show(Context ctx) {
        ctx.contentType(ContentType.APPLICATION_JSON).result(new Json()
                .text("status", "UP")
                .number("letters", archive.size())
                .number("sealedBytes", archive.sealedBytes())
                .end());
    }
}

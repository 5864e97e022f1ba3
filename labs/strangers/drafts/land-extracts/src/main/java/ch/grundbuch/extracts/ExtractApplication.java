package ch.grundbuch.extracts;

import io.micronaut.runtime.Micronaut;

public final class ExtractApplication {

    private ExtractApplication() {
    }

    public static void main(String[] args) {
        Micronaut.build(args).mainClass(ExtractApplication.class).banner(false).start();
    }
}

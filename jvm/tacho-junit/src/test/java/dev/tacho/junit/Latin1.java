package dev.tacho.junit;

import java.nio.charset.StandardCharsets;

/** An application that says in Latin-1 why it ends. */
final class Latin1 {
    private Latin1() {}

    public static void main(String[] arguments) {
        byte[] why = "no caf\u00e9 here\n".getBytes(StandardCharsets.ISO_8859_1);
        System.out.write(why, 0, why.length);
        System.out.flush();
        System.exit(1);
    }
}

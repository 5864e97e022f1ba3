package org.wanderwege.trails.http;

public record Reply(int status, String body) {

    public static Reply ok(JsonText json) {
        return new Reply(200, json.toString());
    }

    public static Reply problem(int status, String detail) {
        return new Reply(status, new JsonText().open().field("error", detail).close().toString());
    }
}

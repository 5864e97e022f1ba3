package net.wortrost.hints.http;

/** What a resource answers. */
public sealed interface Reply {

    int status();

    String type();

    String body();

    record Json(String body) implements Reply {
        @Override
        public int status() {
            return 200;
        }

        @Override
        public String type() {
            return "application/json";
        }
    }

    record Text(int status, String body) implements Reply {
        public Text(String body) {
            this(200, body);
        }

        @Override
        public String type() {
            return "text/plain";
        }
    }
}

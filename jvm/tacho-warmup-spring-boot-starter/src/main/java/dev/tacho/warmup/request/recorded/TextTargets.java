package dev.tacho.warmup.request.recorded;

import dev.tacho.warmup.request.HeaderText;
import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.SourceText;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.io.Resource;

/**
 * vegeta's text format.
 *
 * <pre>
 * # a comment
 * POST http://127.0.0.1:8080/things
 * Content-Type: application/json
 * &#64;thing.json
 *
 * GET http://127.0.0.1:8080/things/1
 * </pre>
 */
final class TextTargets {

    /**
     * A capital word, white space, and a URL: no header looks like this, since names of headers
     * hold no white space.
     */
    private static final Pattern TARGET = Pattern.compile("([A-Z]+)\\s+((?:\\S+://|/)\\S*)");

    private final String[] lines;
    private final Resource file;
    private int next;

    TextTargets(String text, Resource file) {
        this.lines = text.lines().map(String::strip).toArray(String[]::new);
        this.file = file;
    }

    List<WarmUpRequest> read() {
        List<WarmUpRequest> requests = new ArrayList<>();
        for (; next < lines.length; next++) {
            if (!isNothing(lines[next])) {
                requests.add(target());
                next--;
            }
        }
        return requests;
    }

    /** From its first line up to the one that does not belong to it any more. */
    private WarmUpRequest target() {
        int first = next;
        try {
            Matcher target = TARGET.matcher(lines[next++]);
            if (!target.matches()) {
                throw new RequestException("`" + lines[first]
                        + "` does not begin a target; write for example `GET http://127.0.0.1:8080/path`");
            }
            List<Header> headers = new ArrayList<>();
            byte[] body = new byte[0];
            while (next < lines.length && !lines[next].isEmpty() && !TARGET.matcher(lines[next]).matches()) {
                String line = lines[next++];
                if (line.startsWith("@")) {
                    body = body(line.substring(1));
                    break;
                }
                if (!line.startsWith("#")) {
                    headers.add(HeaderText.parse(line));
                }
            }
            return Target.request(target.group(1), target.group(2), headers, body);
        } catch (RequestException wrong) {
            throw new RequestException(file.getDescription() + ", line " + (first + 1) + ": " + wrong.getMessage(),
                    wrong);
        }
    }

    private byte[] body(String name) {
        if (name.isEmpty()) {
            throw new RequestException("`@` must be followed by the name of a file");
        }
        try {
            return SourceText.bytes(file.createRelative(name));
        } catch (IOException wrong) {
            throw new RequestException("the body " + name + " cannot be read: " + wrong.getMessage(), wrong);
        }
    }

    private static boolean isNothing(String line) {
        return line.isEmpty() || line.startsWith("#");
    }
}

package dev.tacho.warmup.request.recorded;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;

/**
 * vegeta's JSON format, a target a line: {@code
 * {"method":"POST","url":"/things","header":{"X-A":["b"]},"body":"eyJ9"}}.
 */
final class JsonTargets {

    private JsonTargets() {
    }

    static List<WarmUpRequest> read(String text, String place) {
        JsonParser json = JsonParserFactory.getJsonParser();
        List<WarmUpRequest> requests = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                requests.add(target(json.parseMap(line)));
            } catch (RequestException | IllegalArgumentException wrong) {
                throw new RequestException(place + ", line " + number + ": " + wrong.getMessage(), wrong);
            }
        }
        return requests;
    }

    private static WarmUpRequest target(Map<String, Object> object) {
        if (!(object.get("method") instanceof String method) || !(object.get("url") instanceof String url)) {
            throw new RequestException("this is no target; write for example"
                    + " {\"method\":\"GET\",\"url\":\"http://127.0.0.1:8080/path\"}");
        }
        // As Go writes bytes.
        byte[] body = object.get("body") instanceof String base64 ? Base64.getDecoder().decode(base64) : new byte[0];
        return Target.request(method, url, headers(object.get("header")), body);
    }

    private static List<Header> headers(Object written) {
        List<Header> headers = new ArrayList<>();
        if (written instanceof Map<?, ?> map) {
            map.forEach((name, values) -> {
                if (values instanceof List<?> list) {
                    list.forEach(value -> headers.add(new Header(String.valueOf(name), String.valueOf(value))));
                }
            });
        }
        return headers;
    }
}

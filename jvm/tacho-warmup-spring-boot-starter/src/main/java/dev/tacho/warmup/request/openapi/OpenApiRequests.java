package dev.tacho.warmup.request.openapi;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.SourceText;
import dev.tacho.warmup.request.WarmUpRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.io.Resource;

/** A request for each operation of an OpenAPI 3 document that has the examples for it. */
public final class OpenApiRequests implements RequestSource {

    private static final Log LOG = LogFactory.getLog(OpenApiRequests.class);

    private final Resource file;
    private final List<String> methods;

    /**
     * Operations with other methods are left out: who describes an operation does not ask that it
     * be called at every start.
     */
    public OpenApiRequests(Resource file, List<String> methods) {
        this.file = file;
        this.methods = methods;
    }

    @Override
    public List<WarmUpRequest> read() {
        String place = file.getDescription();
        Map<?, ?> root = Tree.parse(SourceText.of(file), place);
        if (!String.valueOf(root.get("openapi")).startsWith("3")) {
            throw new RequestException(place + " is no OpenAPI document that is read: it has no `openapi: 3...`");
        }
        List<WarmUpRequest> requests = requests(root);
        if (requests.isEmpty()) {
            throw new RequestException(place + " has no operation with one of the methods " + String.join(", ", methods)
                    + " and the examples that it needs");
        }
        return requests;
    }

    private List<WarmUpRequest> requests(Map<?, ?> root) {
        References references = new References(root);
        Examples examples = new Examples(references);
        String base = base(root);
        List<WarmUpRequest> requests = new ArrayList<>();
        Tree.map(root, "paths").forEach((path, written) -> {
            Object item = item(path, written, references);
            for (String method : methods) {
                String name = method.toLowerCase(Locale.ROOT);
                if (item instanceof Map<?, ?> map && map.containsKey(name)) {
                    Operation operation = new Operation(method.toUpperCase(Locale.ROOT), String.valueOf(path), item,
                            map.get(name));
                    take(operation, base, references, examples, requests);
                }
            }
        });
        return requests;
    }

    /** What the document says of a path; nothing where its reference leads nowhere. */
    private static Object item(Object path, Object written, References references) {
        try {
            return references.resolved(written);
        } catch (RequestException lacking) {
            LOG.warn(path + " is not warmed: " + lacking.getMessage());
            return Map.of();
        }
    }

    private static void take(Operation operation, String base, References references, Examples examples,
            List<WarmUpRequest> requests) {
        try {
            requests.add(operation.request(base, references, examples));
        } catch (RequestException lacking) {
            LOG.warn(operation.method() + " " + operation.path() + " is not warmed: " + lacking.getMessage());
        }
    }

    /** Path of the first server, without a slash at its end. */
    private static String base(Map<?, ?> root) {
        Object server = Tree.list(root, "servers").stream().findFirst().map(Object.class::cast).orElse(Map.of());
        String url = Tree.text(server, "url");
        for (Map.Entry<?, ?> variable : Tree.map(server, "variables").entrySet()) {
            url = url.replace("{" + variable.getKey() + "}", Tree.text(variable.getValue(), "default"));
        }
        try {
            String path = URI.create(url).getRawPath();
            String base = path == null ? "" : path.replaceAll("/+$", "");
            return base.isEmpty() || base.startsWith("/") ? base : "/" + base;
        } catch (IllegalArgumentException wrong) {
            throw new RequestException("`" + url + "` is no URL of a server: " + wrong.getMessage(), wrong);
        }
    }
}

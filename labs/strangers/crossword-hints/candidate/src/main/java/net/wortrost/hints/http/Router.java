package net.wortrost.hints.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

import java.util.HashMap;
import java.util.Map;

/** Hands requests to the resource of their path. */
public final class Router extends Handler.Abstract {

    private final Map<String, Resource> resources = new HashMap<>();

    public Router get(String path, Resource resource) {
        resources.put(path, resource);
        return this;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Resource resource = resources.get(Request.getPathInContext(request));
        if (resource == null) {
            return false;
        }
        Reply reply = reply(resource, request);
        response.setStatus(reply.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.type());
        Content.Sink.write(response, true, reply.body(), callback);
        return true;
    }

    private static Reply reply(Resource resource, Request request) {
        try {
            return resource.get(Request.extractQueryParameters(request));
        } catch (IllegalArgumentException e) {
            return new Reply.Text(400, String.valueOf(e.getMessage()));
        }
    }
}

package se.skargardslinjen.fares.domain;

public class UnknownRouteException extends RuntimeException {

    public UnknownRouteException(String route) {
        super("no such route: " + route);
    }
}

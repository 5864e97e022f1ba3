package org.wanderwege.trails.http;

@FunctionalInterface
public interface Endpoint {

    Reply answer(Request request);
}

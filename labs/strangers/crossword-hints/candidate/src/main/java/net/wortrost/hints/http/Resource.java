package net.wortrost.hints.http;

import org.eclipse.jetty.util.Fields;

@FunctionalInterface
public interface Resource {

    Reply get(Fields query);
}

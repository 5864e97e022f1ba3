package com.flinkfahrt.rides.http;

/** What can be read under a path. */
public interface Resource {

    Object get(Query query);
}

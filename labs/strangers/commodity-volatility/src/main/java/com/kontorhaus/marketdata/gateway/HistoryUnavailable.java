package com.kontorhaus.marketdata.gateway;

import io.grpc.Status;

public class HistoryUnavailable extends RuntimeException {

    public HistoryUnavailable(Status status) {
        super("price history answered " + status.getCode() + ": " + status.getDescription());
    }
}

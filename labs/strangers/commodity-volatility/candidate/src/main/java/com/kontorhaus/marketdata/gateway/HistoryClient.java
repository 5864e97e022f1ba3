package com.kontorhaus.marketdata.gateway;

import com.kontorhaus.marketdata.analysis.Series;
import com.kontorhaus.marketdata.proto.PriceHistoryGrpc;
import com.kontorhaus.marketdata.proto.SeriesReply;
import com.kontorhaus.marketdata.proto.SeriesRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

public class HistoryClient {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryClient.class);

    private final PriceHistoryGrpc.PriceHistoryBlockingStub stub;
    private final long deadlineMillis;

    public HistoryClient(HistoryChannel channel, GatewayConfig config) {
        this.stub = PriceHistoryGrpc.newBlockingStub(channel.channel());
        this.deadlineMillis = config.deadline().toMillis();
        LOG.info("History is asked with a deadline of {} ms", deadlineMillis);
    }

    /** The last days of an instrument; empty if the history does not know it. */
    public Optional<Series> series(String instrument, int days) {
        SeriesRequest request = SeriesRequest.newBuilder().setInstrument(instrument).setDays(days).build();
        try {
            SeriesReply reply = stub.withDeadlineAfter(deadlineMillis, TimeUnit.MILLISECONDS).series(request);
            return Optional.of(Series.of(reply));
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return Optional.empty();
            }
            throw new HistoryUnavailable(e.getStatus());
        }
    }
}

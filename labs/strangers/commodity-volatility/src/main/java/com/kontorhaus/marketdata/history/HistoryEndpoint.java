package com.kontorhaus.marketdata.history;

import com.kontorhaus.marketdata.proto.DailyPrice;
import com.kontorhaus.marketdata.proto.PriceHistoryGrpc;
import com.kontorhaus.marketdata.proto.SeriesReply;
import com.kontorhaus.marketdata.proto.SeriesRequest;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

import java.util.List;

class HistoryEndpoint extends PriceHistoryGrpc.PriceHistoryImplBase {

    private final PriceBook book;

    HistoryEndpoint(PriceBook book) {
        this.book = book;
    }

    @Override
    public void series(SeriesRequest request, StreamObserver<SeriesReply> observer) {
        List<DailyPrice> prices = book.last(request.getInstrument(), request.getDays());
        if (prices == null) {
            observer.onError(Status.NOT_FOUND
                    .withDescription("no instrument " + request.getInstrument())
                    .asRuntimeException());
            return;
        }
        observer.onNext(SeriesReply.newBuilder()
                .setInstrument(request.getInstrument())
                .setCurrency("USD")
                .addAllPrices(prices)
                .build());
        observer.onCompleted();
    }
}

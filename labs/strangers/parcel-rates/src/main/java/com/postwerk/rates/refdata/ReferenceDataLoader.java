package com.postwerk.rates.refdata;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;

/** Reads the tables from the folder that the data team writes to (or from the jar). */
public class ReferenceDataLoader {

    public static final String RELOAD = "refdata.reload";

    private static final Logger LOG = LoggerFactory.getLogger(ReferenceDataLoader.class);

    private final Vertx vertx;
    private final String folder;

    public ReferenceDataLoader(Vertx vertx, String folder) {
        this.vertx = vertx;
        this.folder = folder;
    }

    public Future<Void> loadInto(ReferenceData data) {
        List<Future<Void>> loads = new ArrayList<>();
        for (String name : ReferenceData.TABLES) {
            loads.add(vertx.fileSystem().readFile(folder + "/" + name + ".json")
                    .map(JsonObject::new)
                    .onSuccess(table -> LOG.debug("Table {} with {} entries", name, table.size()))
                    .onSuccess(table -> data.replace(name, table))
                    .mapEmpty());
        }
        return Future.all(loads)
                .onSuccess(all -> LOG.info("Reference data loaded, edition {}", data.edition()))
                .mapEmpty();
    }
}

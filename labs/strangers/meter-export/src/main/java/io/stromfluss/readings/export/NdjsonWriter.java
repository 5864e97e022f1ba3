package io.stromfluss.readings.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;

/** Writes rows as lines of JSON, a day's worth of them to a buffer. */
@Component
public class NdjsonWriter {

    private static final int ROWS_PER_BUFFER = 96;
    private static final int BYTES_PER_ROW = 64;

    private final ObjectWriter json;
    private final DataBufferFactory buffers = DefaultDataBufferFactory.sharedInstance;

    public NdjsonWriter(ObjectMapper mapper) {
        this.json = mapper.writerFor(ReadingRow.class);
    }

    public Flux<DataBuffer> write(Flux<ReadingRow> rows) {
        return rows.buffer(ROWS_PER_BUFFER).map(this::lines);
    }

    private DataBuffer lines(List<ReadingRow> rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(rows.size() * BYTES_PER_ROW);
        try {
            for (ReadingRow row : rows) {
                bytes.write(json.writeValueAsBytes(row));
                bytes.write('\n');
            }
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("row cannot be written", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return buffers.wrap(bytes.toByteArray());
    }
}

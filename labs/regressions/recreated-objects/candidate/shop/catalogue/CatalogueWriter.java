package shop.catalogue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.UncheckedIOException;
import java.util.List;

/** From items to JSON. */
final class CatalogueWriter {
    String write(List<Item> items) {
        try {
            ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
            return mapper.writeValueAsString(items);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}

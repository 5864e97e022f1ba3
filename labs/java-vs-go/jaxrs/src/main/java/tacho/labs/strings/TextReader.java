package tacho.labs.strings;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** Jakarta REST's way from a body to an object. */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class TextReader implements MessageBodyReader<Text> {

    @Override
    public boolean isReadable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == Text.class;
    }

    @Override
    public Text readFrom(Class<Text> type, Type genericType, Annotation[] annotations, MediaType mediaType,
            MultivaluedMap<String, String> headers, InputStream body) throws IOException {
        return new Text(Json.read(body));
    }
}

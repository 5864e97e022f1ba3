package tacho.labs.strings;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Bytes of the wire to strings and back. */
public final class Json {

    /** The longest body that is read. */
    private static final int LONGEST_BODY = 1 << 20;

    /**
     * Reads what Go's parser reads: nested as deep, names and numbers as long as the body; writes
     * no needless escapes.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(10_000)
                    .maxNameLength(LONGEST_BODY)
                    .maxNumberLength(LONGEST_BODY)
                    .build())
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .build();

    private Json() {
    }

    /** Whether this is a {@code Content-Type} of JSON; {@code null} when there is none. */
    public static boolean isType(String contentType) {
        if (contentType == null) {
            return false;
        }
        int parameters = contentType.indexOf(';');
        String type = parameters < 0 ? contentType : contentType.substring(0, parameters);
        return type.strip().equalsIgnoreCase("application/json");
    }

    /**
     * Takes the string out of {@code {"s":"..."}}.
     *
     * @throws RefusedException when it is too long, no JSON object, or has no string {@code s}
     */
    public static String read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(LONGEST_BODY + 1);
        if (bytes.length > LONGEST_BODY) {
            throw new RefusedException(Refusal.TOO_LONG);
        }
        try (JsonParser parser = FACTORY.createParser(decode(bytes))) {
            return fieldS(parser);
        } catch (CharacterCodingException | JacksonException e) {
            throw new RefusedException(Refusal.NOT_AN_OBJECT);
        }
    }

    /** Strictly UTF-8: left to itself, the parser would guess UTF-16 and UTF-32 too. */
    private static String decode(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static String fieldS(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new RefusedException(Refusal.NOT_AN_OBJECT);
        }
        String s = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = parser.currentName().equals("s");
            JsonToken value = parser.nextToken();
            if (wanted) {
                // The last one counts when the name comes twice, as in Go.
                s = value == JsonToken.VALUE_STRING ? parser.getText() : null;
            }
            parser.skipChildren();
        }
        if (parser.nextToken() != null) {
            throw new RefusedException(Refusal.NOT_AN_OBJECT);
        }
        if (s == null) {
            throw new RefusedException(Refusal.NO_STRING);
        }
        return withoutLoneSurrogates(s);
    }

    /** An escape such as {@code \\ud800} alone is no character; it becomes U+FFFD, as in Go. */
    private static String withoutLoneSurrogates(String s) {
        if (s.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
            return s;
        }
        int[] codePoints = s.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .toArray();
        return new String(codePoints, 0, codePoints.length);
    }

    /** {@code {"v":"..."}}. */
    public static byte[] value(String v) {
        return object(v.length(), json -> json.writeStringField("v", v));
    }

    /** {@code {"v":5}}. */
    public static byte[] value(int v) {
        return object(8, json -> json.writeNumberField("v", v));
    }

    /** {@code {"v":"","err":"..."}}: the service's own error. */
    public static byte[] failed(String err) {
        return object(32, json -> {
            json.writeStringField("v", "");
            json.writeStringField("err", err);
        });
    }

    /** {@code {"err":"..."}}: the request was not understood. */
    public static byte[] refused(Refusal refusal) {
        return object(64, json -> json.writeStringField("err", refusal.message));
    }

    /** {@code {"status":"UP"}}. */
    public static byte[] health() {
        return object(16, json -> json.writeStringField("status", "UP"));
    }

    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static byte[] object(int sizeHint, Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(sizeHint + 16);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}

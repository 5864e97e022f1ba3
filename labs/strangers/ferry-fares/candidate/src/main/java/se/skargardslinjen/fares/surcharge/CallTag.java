package se.skargardslinjen.fares.surcharge;

/** Tells the council's support on whose behalf and in which conversation a call was made. */
public record CallTag(String correlationId, String channel) {

    public static CallTag web(String correlationId) {
        return new CallTag(correlationId, "web");
    }
}

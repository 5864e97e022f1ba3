package tacho.labs.strings;

/** Why a request does not reach the service: the second half of the contract. */
public enum Refusal {
    NO_SUCH_PATH(404, "no such path"),
    METHOD_NOT_ALLOWED(405, "method not allowed"),
    NOT_JSON_TYPE(415, "content type must be application/json"),
    TOO_LONG(413, "body longer than 1048576 bytes"),
    NOT_AN_OBJECT(400, "body is not a JSON object"),
    NO_STRING(400, "field s must be a string");

    /** HTTP status. */
    public final int status;

    /** For the answer's {@code err} field. */
    public final String message;

    Refusal(int status, String message) {
        this.status = status;
        this.message = message;
    }
}

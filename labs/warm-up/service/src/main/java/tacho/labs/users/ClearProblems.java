package tacho.labs.users;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * Whoever sent something wrong is told what, as a problem detail (RFC 9457) with the fields under
 * `errors`.
 */
@RestControllerAdvice
class ClearProblems extends ResponseEntityExceptionHandler {

    /** A field and what is wrong with it. */
    record Wrong(String field, String message) {
    }

    @Override
    protected ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Wrong> errors = invalid.getFieldErrors().stream().map(ClearProblems::wrong).sorted(ClearProblems::byField).toList();
        return answer(invalid, errors, headers, status, request);
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return answer(unreadable, mismatch(unreadable.getCause()).stream().toList(), headers, status, request);
    }

    private ResponseEntity<Object> answer(
            Exception exception, List<Wrong> errors, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String detail = errors.isEmpty() ? "The body is not a registration in JSON." : "The registration is not valid.";
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        if (!errors.isEmpty()) {
            problem.setProperty("errors", errors);
        }
        return handleExceptionInternal(exception, problem, headers, status, request);
    }

    private static Wrong wrong(FieldError error) {
        return new Wrong(error.getField(), error.getDefaultMessage());
    }

    private static int byField(Wrong one, Wrong other) {
        return one.field().compareTo(other.field());
    }

    /** A value that does not fit the type of its field; empty when it is no registration at all. */
    private static Optional<Wrong> mismatch(Throwable cause) {
        if (cause instanceof MismatchedInputException mismatch) {
            return field(mismatch).map(field -> new Wrong(field, "must be " + kind(mismatch.getTargetType())));
        }
        if (cause instanceof InputCoercionException tooLarge) {
            return field(tooLarge).map(field -> new Wrong(field, "must be " + kind(tooLarge.getTargetType())));
        }
        return Optional.empty();
    }

    private static Optional<String> field(JacksonException mismatch) {
        Stream<String> names = mismatch.getPath().stream().map(JacksonException.Reference::getPropertyName);
        String path = String.join(".", names.filter(Objects::nonNull).toList());
        return path.isEmpty() ? Optional.empty() : Optional.of(path);
    }

    private static String kind(Class<?> type) {
        if (type == Integer.class || type == int.class) {
            return "a whole number";
        }
        return type == Boolean.class ? "true or false" : "a text";
    }
}

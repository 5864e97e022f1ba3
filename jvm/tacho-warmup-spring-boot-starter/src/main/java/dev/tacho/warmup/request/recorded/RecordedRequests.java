package dev.tacho.warmup.request.recorded;

import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.SourceText;
import dev.tacho.warmup.request.WarmUpRequest;
import java.util.List;
import org.springframework.core.io.Resource;

/**
 * Requests of a recorded file, in turn and from the beginning again, as vegeta itself sends them.
 */
public final class RecordedRequests implements RequestSource {

    private final Resource file;

    public RecordedRequests(Resource file) {
        this.file = file;
    }

    @Override
    public List<WarmUpRequest> read() {
        String text = SourceText.of(file);
        List<WarmUpRequest> requests = text.stripLeading().startsWith("{")
                ? JsonTargets.read(text, file.getDescription())
                : new TextTargets(text, file).read();
        if (requests.isEmpty()) {
            throw new RequestException(file.getDescription()
                    + " has no request; a target is a line such as `GET http://127.0.0.1:8080/path`");
        }
        return requests;
    }
}

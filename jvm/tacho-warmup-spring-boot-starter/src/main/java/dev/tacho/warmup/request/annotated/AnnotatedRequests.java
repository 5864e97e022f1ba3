package dev.tacho.warmup.request.annotated;

import dev.tacho.warmup.WarmUp;
import dev.tacho.warmup.request.HeaderText;
import dev.tacho.warmup.request.RequestException;
import dev.tacho.warmup.request.RequestSource;
import dev.tacho.warmup.request.WarmUpRequest;
import dev.tacho.warmup.request.WarmUpRequest.Header;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Controller;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;

/**
 * Requests of {@link WarmUp}. Reads the mappings' annotations themselves, which are the same on
 * both stacks; makes no bean.
 */
public final class AnnotatedRequests implements RequestSource {

    private final ApplicationContext context;

    public AnnotatedRequests(ApplicationContext context) {
        this.context = context;
    }

    @Override
    public List<WarmUpRequest> read() {
        BasePath base = BasePath.of(context.getEnvironment());
        List<WarmUpRequest> requests = new ArrayList<>();
        for (String name : context.getBeanNamesForAnnotation(Controller.class)) {
            Class<?> type = context.getType(name, false);
            if (type != null) {
                requests.addAll(requestsOf(ClassUtils.getUserClass(type), base));
            }
        }
        return requests;
    }

    private List<WarmUpRequest> requestsOf(Class<?> controller, BasePath base) {
        List<WarmUpRequest> requests = new ArrayList<>();
        ReflectionUtils.doWithMethods(controller, method -> annotationsOf(method)
                .map(annotation -> request(controller, method, annotation, base)).forEach(requests::add),
                method -> !method.isBridge() && !method.isSynthetic());
        return requests;
    }

    private static Stream<MergedAnnotation<WarmUp>> annotationsOf(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY,
                RepeatableContainers.of(WarmUp.class, WarmUp.Several.class)).stream(WarmUp.class);
    }

    private WarmUpRequest request(Class<?> controller, Method method, MergedAnnotation<WarmUp> annotation,
            BasePath base) {
        String place = controller.getSimpleName() + "." + method.getName();
        Mapping mapping = Mapping.of(controller, method).orElseThrow(() -> new RequestException(
                "@WarmUp on " + place
                        + " warms nothing: there is no @RequestMapping, @GetMapping or the like beside it"));
        String path = annotation.getString("path");
        if (path.isEmpty()) {
            path = mapping.path();
            if (path.contains("{") || path.contains("*")) {
                throw new RequestException("@WarmUp on " + place + " has no path, and that of its mapping, " + path
                        + ", has variables; give one such as @WarmUp(path = \"/owners/7\")");
            }
        }
        List<Header> headers = Arrays.stream(annotation.getStringArray("headers")).map(HeaderText::parse).toList();
        int status = annotation.getInt("status");
        // One kind a method of the controller: that is what is to be compiled.
        String name = mapping.method() + " " + mapping.path();
        return WarmUpRequest.of(name, mapping.method(), base.with(resolved(path)), headers,
                WarmUpRequest.bytes(annotation.getString("body")), annotation.getInt("weight"),
                status == 0 ? OptionalInt.empty() : OptionalInt.of(status));
    }

    private String resolved(String path) {
        Environment environment = context.getEnvironment();
        return environment.resolvePlaceholders(path);
    }

    /** What a client writes before the path of a mapping. */
    record BasePath(String prefix) {

        static BasePath of(Environment environment) {
            String prefix = environment.getProperty("server.servlet.context-path", "")
                    + environment.getProperty("spring.mvc.servlet.path", "")
                    + environment.getProperty("spring.webflux.base-path", "");
            return new BasePath(prefix.replaceAll("/+", "/").replaceAll("/$", ""));
        }

        String with(String path) {
            return prefix + (path.startsWith("/") ? path : "/" + path);
        }
    }

    /** What a controller's method answers to. */
    record Mapping(String method, String path) {

        static Optional<Mapping> of(Class<?> controller, Method method) {
            MergedAnnotation<RequestMapping> own = mapping(MergedAnnotations.from(method,
                    SearchStrategy.TYPE_HIERARCHY));
            if (!own.isPresent()) {
                return Optional.empty();
            }
            String prefix = first(mapping(MergedAnnotations.from(controller, SearchStrategy.TYPE_HIERARCHY)));
            String verb = Stream.of(own.getValue("method", RequestMethod[].class).orElse(new RequestMethod[0]))
                    .findFirst().map(RequestMethod::name).orElse("GET");
            return Optional.of(new Mapping(verb, joined(prefix, first(own))));
        }

        private static MergedAnnotation<RequestMapping> mapping(MergedAnnotations annotations) {
            return annotations.get(RequestMapping.class);
        }

        private static String first(MergedAnnotation<RequestMapping> mapping) {
            return mapping.isPresent() ? Stream.of(mapping.getStringArray("path")).findFirst().orElse("") : "";
        }

        private static String joined(String prefix, String path) {
            return ("/" + prefix + "/" + path).replaceAll("/+", "/").replaceAll("(?<=.)/$", "");
        }
    }
}

package dev.tacho.warmup;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A request that warms this method of a controller before traffic comes. Method and path are those
 * of its mapping; several of them are sent in turn.
 *
 * <pre>
 * &#64;WarmUp(path = "/owners/7")
 * &#64;GetMapping("/owners/{id}")
 * Owner owner(&#64;PathVariable int id) {
 * </pre>
 */
@Documented
@Repeatable(WarmUp.Several.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WarmUp {

    /**
     * Path with query; that of the mapping unless given, which therefore must not have variables.
     */
    String path() default "";

    /** Body as text. */
    String body() default "";

    /** Headers, each {@code Name: value}. */
    String[] headers() default {};

    /** How often it is sent, relative to other requests. */
    int weight() default 1;

    /** Status of a good answer; any below 400 unless given. */
    int status() default 0;

    /** More than one. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Several {

        /** Each of them. */
        WarmUp[] value();
    }
}

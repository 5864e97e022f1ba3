package dev.tacho.warmup.servlet;

import dev.tacho.warmup.mark.WarmUpMark;
import jakarta.servlet.ServletRequest;

/** For services that keep warm-up out of their data. */
public final class ServletWarmUp {

    private ServletWarmUp() {
    }

    /** Whether this is a request of the warm-up. Nobody outside can make it say so. */
    public static boolean isWarmUp(ServletRequest request) {
        return Boolean.TRUE.equals(request.getAttribute(WarmUpMark.ATTRIBUTE));
    }
}

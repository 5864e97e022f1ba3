package dev.tacho.warmup.servlet;

import dev.tacho.warmup.mark.WarmUpMark;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.springframework.core.Ordered;

/**
 * Marks requests of the warm-up with an attribute, and refuses requests that only claim to be such.
 * Runs before all other filters.
 */
public final class WarmUpFilter implements Filter, Ordered {

    private final WarmUpMark mark;

    public WarmUpFilter(WarmUpMark mark) {
        this.mark = mark;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            switch (mark.judge(Collections.list(http.getHeaders(mark.header())))) {
                case FORGED -> {
                    refuse(answer);
                    return;
                }
                case GENUINE -> request.setAttribute(WarmUpMark.ATTRIBUTE, true);
                case NONE -> { }
            }
        }
        chain.doFilter(request, response);
    }

    private void refuse(HttpServletResponse answer) throws IOException {
        answer.setStatus(HttpServletResponse.SC_FORBIDDEN);
        answer.setContentType("text/plain;charset=UTF-8");
        answer.getOutputStream().write(mark.refusal().getBytes(StandardCharsets.UTF_8));
    }
}

package dev.tacho.warmup.servlet;

import dev.tacho.warmup.leave.Leaving;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;

/** While the service leaves, each answer is the last of its connection. */
public final class LeavingFilter implements Filter, Ordered {

    private final Leaving leaving;

    public LeavingFilter(Leaving leaving) {
        this.leaving = leaving;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (leaving.isLeaving() && response instanceof HttpServletResponse answer) {
            answer.setHeader("Connection", "close");
        }
        chain.doFilter(request, response);
    }
}

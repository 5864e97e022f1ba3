package org.huettenbuch.web.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

@Component
public class PageHeaders implements HandlerInterceptor {

    private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";
    private static final String OWN_ONLY = "default-src 'self'";

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
        response.setHeader(CONTENT_SECURITY_POLICY, OWN_ONLY);
        return true;
    }
}

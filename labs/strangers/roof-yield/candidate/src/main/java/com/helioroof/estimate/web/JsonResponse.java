package com.helioroof.estimate.web;

import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

final class JsonResponse {

    private static final String TYPE = "application/json";

    private JsonResponse() {
    }

    static void send(HttpServletResponse response, int status, CharSequence json) throws IOException {
        byte[] body = json.toString().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(TYPE);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    static void problem(HttpServletResponse response, int status, String message) throws IOException {
        send(response, status, "{\"problem\":\"" + message.replace("\"", "'") + "\"}");
    }

    static StringBuilder decimal(StringBuilder out, double value) {
        long tenths = Math.round(value * 10);
        return out.append(tenths / 10).append('.').append(tenths % 10);
    }
}

package com.helioroof.estimate.web;

import com.helioroof.estimate.calc.YieldService;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;

public final class HealthServlet extends HttpServlet {

    private final transient YieldService yields;

    public HealthServlet(YieldService yields) {
        this.yields = yields;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JsonResponse.send(response, HttpServletResponse.SC_OK, "{\"status\":\"UP\",\"cached\":" + yields.cached() + "}");
    }
}

package com.helioroof.estimate.web;

import com.helioroof.estimate.calc.ModuleType;
import com.helioroof.estimate.calc.Months;
import com.helioroof.estimate.calc.RoofYield;
import com.helioroof.estimate.calc.YieldService;
import com.helioroof.estimate.roof.Roof;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Optional;

/** GET /yields/{roof}?months=3-5,10&module=premium */
public final class YieldServlet extends HttpServlet {

    private static final Logger LOG = LoggerFactory.getLogger(YieldServlet.class);

    private final transient YieldService yields;

    public YieldServlet(YieldService yields) {
        this.yields = yields;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo();
        Optional<Roof> roof = path == null ? Optional.empty() : yields.roof(path.substring(1));
        if (roof.isEmpty()) {
            JsonResponse.problem(response, HttpServletResponse.SC_NOT_FOUND, "No such roof");
            return;
        }
        try {
            int[] months = Months.parse(request.getParameter("months"));
            ModuleType module = ModuleType.parse(request.getParameter("module"));
            RoofYield roofYield = yields.yieldOf(roof.get(), months, module);
            LOG.debug("Yield of {} in {} months: {}", roof.get().id(), months.length, roofYield.total());
            JsonResponse.send(response, HttpServletResponse.SC_OK, render(roof.get(), module, roofYield));
        } catch (IllegalArgumentException e) {
            JsonResponse.problem(response, HttpServletResponse.SC_BAD_REQUEST, e.getMessage());
        }
    }

    private static StringBuilder render(Roof roof, ModuleType module, RoofYield roofYield) {
        StringBuilder out = new StringBuilder(512);
        out.append("{\"roof\":\"").append(roof.id()).append("\",\"town\":\"").append(roof.town());
        out.append("\",\"module\":\"").append(module).append("\",\"totalKwh\":");
        JsonResponse.decimal(out, roofYield.total());
        out.append(",\"bestMonth\":").append(roofYield.best().month()).append(",\"months\":[");
        String separator = "";
        for (RoofYield.MonthlyYield month : roofYield.months()) {
            out.append(separator).append("{\"month\":").append(month.month()).append(",\"kwh\":");
            JsonResponse.decimal(out, month.kilowattHours()).append(",\"sunHours\":");
            JsonResponse.decimal(out, month.sunHours()).append('}');
            separator = ",";
        }
        return out.append("]}");
    }
}

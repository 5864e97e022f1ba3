package com.helioroof.estimate.web;

import com.helioroof.estimate.roof.Roof;
import com.helioroof.estimate.roof.RoofCatalogue;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import java.io.IOException;
import java.util.Collection;

/** GET /roofs?town=Ulm */
public final class RoofServlet extends HttpServlet {

    private final transient RoofCatalogue roofs;

    public RoofServlet(RoofCatalogue roofs) {
        this.roofs = roofs;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String town = request.getParameter("town");
        Collection<Roof> found = town == null ? roofs.all() : roofs.inTown(town);
        StringBuilder out = new StringBuilder("[");
        for (Roof roof : found) {
            out.append(out.length() == 1 ? "" : ",");
            out.append("{\"id\":\"").append(roof.id()).append("\",\"town\":\"").append(roof.town());
            out.append("\",\"tilt\":");
            JsonResponse.decimal(out, roof.tilt()).append(",\"squareMetres\":");
            JsonResponse.decimal(out, roof.squareMetres()).append('}');
        }
        JsonResponse.send(response, HttpServletResponse.SC_OK, out.append(']'));
    }
}

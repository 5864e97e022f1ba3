package de.lohnwerk.payslip.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import de.lohnwerk.payslip.calc.Payslip;
import de.lohnwerk.payslip.calc.PayslipCalculator;
import de.lohnwerk.payslip.employee.Employee;
import de.lohnwerk.payslip.employee.Employees;
import de.lohnwerk.payslip.json.JsonWriter;
import de.lohnwerk.payslip.money.Money;

import java.io.IOException;
import java.io.OutputStream;
import java.util.logging.Level;
import java.util.logging.Logger;

public class PreviewHandler implements HttpHandler {

    private static final Logger LOG = Logger.getLogger(PreviewHandler.class.getName());

    private final Employees employees;
    private final PayslipCalculator calculator;

    public PreviewHandler(Employees employees, PayslipCalculator calculator) {
        this.employees = employees;
        this.calculator = calculator;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        int status = 200;
        byte[] body;
        try {
            body = preview(PreviewRequest.of(exchange.getRequestURI()));
        } catch (BadRequest e) {
            status = e.status();
            body = new JsonWriter().beginObject().field("error", e.getMessage()).endObject().toBytes();
        } catch (RuntimeException e) {
            LOG.log(Level.SEVERE, exchange.getRequestURI() + " failed", e);
            status = 500;
            body = new JsonWriter().beginObject().field("error", "internal error").endObject().toBytes();
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private byte[] preview(PreviewRequest request) {
        Employee employee = employees.find(request.number())
                .orElseThrow(() -> new BadRequest(404, "no employee " + request.number()));
        Money bonus = calculator.grossBonus(employee, request.bonusMonth(), request.netBonus());
        JsonWriter json = new JsonWriter().beginObject()
                .field("number", employee.number())
                .field("name", employee.name())
                .field("grossBonus", bonus.toString())
                .beginArray("months");
        Money net = Money.ZERO;
        for (Payslip payslip : calculator.year(employee, request.bonusMonth(), bonus)) {
            write(json, payslip);
            net = net.plus(payslip.net());
        }
        return json.endArray().field("netOfYear", net.toString()).endObject().toBytes();
    }

    private static void write(JsonWriter json, Payslip payslip) {
        json.beginObject()
                .field("month", payslip.month())
                .field("gross", payslip.gross().toString())
                .beginArray("deductions");
        for (Payslip.Line line : payslip.deductions()) {
            json.beginObject().field("code", line.code()).field("amount", line.amount().toString()).endObject();
        }
        json.endArray().field("net", payslip.net().toString()).endObject();
    }
}

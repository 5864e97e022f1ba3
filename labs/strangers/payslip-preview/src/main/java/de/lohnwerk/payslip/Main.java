package de.lohnwerk.payslip;

import com.sun.net.httpserver.HttpServer;
import de.lohnwerk.payslip.calc.PayslipCalculator;
import de.lohnwerk.payslip.employee.Employees;
import de.lohnwerk.payslip.http.PreviewHandler;
import de.lohnwerk.payslip.social.SocialInsurance;
import de.lohnwerk.payslip.tax.WageTax;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogManager;
import java.util.logging.Logger;

public final class Main {

    private Main() {
    }

    public static void main(String[] args) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        try (InputStream logging = Main.class.getResourceAsStream("/logging.properties")) {
            LogManager.getLogManager().readConfiguration(logging);
        }
        Logger log = Logger.getLogger(Main.class.getName());
        String setting = System.getenv("PAYSLIP_PORT");
        int port = setting == null ? 8080 : Integer.parseInt(setting);

        PayslipCalculator calculator = new PayslipCalculator(WageTax.load(), SocialInsurance.load());
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 256);
        AtomicInteger number = new AtomicInteger();
        server.setExecutor(Executors.newFixedThreadPool(8, task -> new Thread(task, "preview-" + number.incrementAndGet())));
        server.createContext("/preview/", new PreviewHandler(Employees.load(), calculator));
        server.start();
        log.info("Payslip preview listening on port " + port);
    }
}

package de.lohnwerk.payslip.employee;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;
import de.lohnwerk.payslip.tax.TaxClass;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Logger;

public final class Employees {

    private static final Logger LOG = Logger.getLogger(Employees.class.getName());

    private final Map<Integer, Employee> byNumber;

    private Employees(Map<Integer, Employee> byNumber) {
        this.byNumber = byNumber;
    }

    public static Employees load() {
        Map<Integer, Employee> byNumber = new HashMap<>();
        InputStream stream = Employees.class.getResourceAsStream("/employees.csv");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            reader.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> employee(line.split(";")))
                    .forEach(employee -> byNumber.put(employee.number(), employee));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        LOG.info(byNumber.size() + " employees");
        return new Employees(byNumber);
    }

    private static Employee employee(String[] cells) {
        return new Employee(Integer.parseInt(cells[0]), cells[1], Money.parse(cells[2]), TaxClass.valueOf(cells[3]),
                Integer.parseInt(cells[4]), Rate.percent(cells[5]), Money.parse(cells[6]), Money.parse(cells[7]));
    }

    public Optional<Employee> find(int number) {
        return Optional.ofNullable(byNumber.get(number));
    }
}

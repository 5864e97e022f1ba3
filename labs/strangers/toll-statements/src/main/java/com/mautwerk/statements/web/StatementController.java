package com.mautwerk.statements.web;

import com.mautwerk.statements.statement.Statement;
import com.mautwerk.statements.statement.StatementService;

import java.time.YearMonth;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/accounts/{account}/statements")
public class StatementController {

    private final StatementService statements;

    public StatementController(StatementService statements) {
        this.statements = statements;
    }

    @GetMapping("/{month}")
    public Statement statement(@PathVariable String account,
            @PathVariable @DateTimeFormat(pattern = "yyyy-MM") YearMonth month) {
        return statements.create(account, month);
    }
}

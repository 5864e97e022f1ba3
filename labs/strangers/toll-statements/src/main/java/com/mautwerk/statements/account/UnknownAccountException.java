package com.mautwerk.statements.account;

public class UnknownAccountException extends RuntimeException {

    public UnknownAccountException(String number) {
        super("no account " + number);
    }
}

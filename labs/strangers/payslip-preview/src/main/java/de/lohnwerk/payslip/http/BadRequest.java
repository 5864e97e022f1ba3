package de.lohnwerk.payslip.http;

class BadRequest extends RuntimeException {

    private final int status;

    BadRequest(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}

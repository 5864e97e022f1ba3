package com.teilwerk.offers.supplier;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

@Component
public class SupplierClient {

    private final RestClient http;

    public SupplierClient(RestClient supplierHttp) {
        this.http = supplierHttp;
    }

    public SupplierQuote quote(String partNo) {
        try {
            return http.get().uri("/stock/{partNo}", partNo).retrieve().body(SupplierQuote.class);
        } catch (RestClientException e) {
            throw new SupplierUnavailableException(partNo, e);
        }
    }
}

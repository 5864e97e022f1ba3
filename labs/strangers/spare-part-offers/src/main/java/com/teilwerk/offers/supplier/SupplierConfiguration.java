package com.teilwerk.offers.supplier;

import java.net.http.HttpClient;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

@Configuration(proxyBeanMethods = false)
public class SupplierConfiguration {

    @Bean
    @ConditionalOnProperty("supplier.stub.enabled")
    SupplierStub supplierStub(SupplierProperties properties) {
        return new SupplierStub(properties.stub());
    }

    @Bean
    RestClient supplierHttp(RestClient.Builder builder, SupplierProperties properties,
            ObjectProvider<SupplierStub> stub) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(properties.connectTimeout())
                .build();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(http);
        requests.setReadTimeout(properties.readTimeout());
        SupplierStub inProcess = stub.getIfAvailable();
        return builder
                .baseUrl(inProcess != null ? inProcess.url().toString() : properties.url().toString())
                .requestFactory(requests)
                .build();
    }
}

package de.pruefwerk.recalls.registry;

import de.pruefwerk.recalls.stub.RegistryStub;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

@Configuration(proxyBeanMethods = false)
public class RegistryConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(RegistryConfiguration.class);

    @Bean(destroyMethod = "close")
    CloseableHttpClient registryHttp(PartnerHttpProperties properties) {
        ConnectionConfig connections = ConnectionConfig.custom()
                .setConnectTimeout(Timeout.of(properties.connectTimeout()))
                .setSocketTimeout(Timeout.of(properties.responseTimeout()))
                .build();
        RequestConfig requests = RequestConfig.custom()
                .setResponseTimeout(Timeout.of(properties.responseTimeout()))
                .build();
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnTotal(properties.maxConnections())
                        .setMaxConnPerRoute(properties.maxConnections())
                        .setDefaultConnectionConfig(connections)
                        .build())
                .setDefaultRequestConfig(requests)
                .setUserAgent("vehicle-recalls")
                .build();
    }

    @Bean
    RestClient registryRestClient(CloseableHttpClient registryHttp, PartnerHttpProperties properties,
            ObjectProvider<RegistryStub> stub) {
        String url = properties.url().isBlank() ? stub.getObject().url() : properties.url();
        LOG.info("Recall registry at {}", url);
        return RestClient.builder()
                .baseUrl(url)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(registryHttp))
                .build();
    }
}

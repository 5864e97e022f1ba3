package ch.helvamed.commons.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.apache.http.client.config.CookieSpecs;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.config.SocketConfig;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.DefaultHttpRequestRetryHandler;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.impl.conn.PoolingHttpClientConnectionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the HTTP clients that our services call partners with, all alike. */
public final class PartnerClients {

    private static final Logger LOG = LoggerFactory.getLogger(PartnerClients.class);

    private static final Duration TIME_TO_LIVE = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private PartnerClients() {
    }

    public static CloseableHttpClient create(PartnerSettings settings) {
        RequestConfig requests = requests(settings);
        LOG.info("client of {}: {}", settings.partner(), requests);
        return HttpClients.custom()
                .setConnectionManager(connections(settings))
                .setDefaultRequestConfig(requests)
                .setRetryHandler(new DefaultHttpRequestRetryHandler(1, false))
                .evictIdleConnections(IDLE.toSeconds(), TimeUnit.SECONDS)
                .disableCookieManagement()
                .setUserAgent("helvamed/" + settings.partner())
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(PartnerSettings settings) {
        PoolingHttpClientConnectionManager connections =
                new PoolingHttpClientConnectionManager(TIME_TO_LIVE.toMillis(), TimeUnit.MILLISECONDS);
        connections.setMaxTotal(settings.maxConnections());
        connections.setDefaultMaxPerRoute(settings.maxConnections());
        connections.setDefaultSocketConfig(SocketConfig.custom()
                .setTcpNoDelay(true)
                .setSoTimeout(millis(settings.readTimeout()))
                .build());
        return connections;
    }

    /** NoHttpResponseException with some partners now and then: see HM-2217. */
    @SuppressWarnings("deprecation")
    private static RequestConfig requests(PartnerSettings settings) {
        return RequestConfig.custom()
                .setConnectTimeout(millis(settings.connectTimeout()))
                .setConnectionRequestTimeout(millis(settings.connectTimeout()))
                .setSocketTimeout(millis(settings.readTimeout()))
                .setStaleConnectionCheckEnabled(true)
                .setCookieSpec(CookieSpecs.IGNORE_COOKIES)
                .build();
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}

package eu.nachtquartier.offers.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import eu.nachtquartier.offers.context.RequestContext;
import eu.nachtquartier.offers.tenant.TenantRegistry;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Opens the context of a request before its handler runs. */
public class ContextFilter extends Filter {

    private final AtomicLong sequence = new AtomicLong();
    private final TenantRegistry tenants;

    public ContextFilter(TenantRegistry tenants) {
        this.tenants = tenants;
    }

    @Override
    public String description() {
        return "request context";
    }

    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
        RequestContext.open();
        try {
            String id = exchange.getRequestHeaders().getFirst("X-Request-Id");
            RequestContext.put(RequestContext.REQUEST_ID, id == null ? "r" + sequence.incrementAndGet() : id);
            String language = exchange.getRequestHeaders().getFirst("Accept-Language");
            RequestContext.put(RequestContext.LOCALE, language == null ? "de" : language);
            String tenant = new Parameters(exchange).text("tenant");
            if (!tenants.knows(tenant)) {
                throw new IllegalArgumentException("unknown tenant " + tenant);
            }
            RequestContext.putAll(tenants.settings(tenant).asMap());
            RequestContext.put(RequestContext.TENANT, tenant);
            chain.doFilter(exchange);
        } catch (IllegalArgumentException e) {
            Answers.problem(exchange, 400, e.getMessage());
        } finally {
            RequestContext.close();
        }
    }
}

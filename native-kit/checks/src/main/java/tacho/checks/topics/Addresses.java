package tacho.checks.topics;

import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Names and addresses. */
final class Addresses implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("addresses.localhost", true, () -> InetAddress.getByName("localhost")
                .isLoopbackAddress());
        checks.alike("addresses.name of this machine", () -> InetAddress.getLocalHost()
                .getHostName());
        checks.check("addresses.no such name", "UnknownHostException: no-such-host.invalid", () -> {
            try {
                return InetAddress.getByName("no-such-host.invalid");
            } catch (UnknownHostException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage().replaceAll(": .*", "");
            }
        });
        checks.check("addresses.IPv6 literal", "2001:db8:0:0:0:0:0:1 true", () -> {
            InetAddress address = InetAddress.getByName("2001:db8::1");
            return address.getHostAddress() + " " + (address instanceof Inet6Address);
        });
        checks.check("addresses.interface of the loopback", "lo, up true, loopback true", () -> {
            NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1"));
            return loopback.getName() + ", up " + loopback.isUp() + ", loopback " + loopback.isLoopback();
        });
        checks.check("addresses.reached", true, () -> InetAddress.getLoopbackAddress()
                .isReachable(120_000));
        checks.check("addresses.URI resolved", "http://h:8/a/c?q=1#f", () -> URI.create("http://h:8/a/b/d")
                .resolve("../c?q=1#f"));
        checks.check("addresses.URL encoded", "a%26b+%C3%BC a&b ü", () -> {
            String encoded = URLEncoder.encode("a&b ü", StandardCharsets.UTF_8);
            return encoded + " " + URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        });
        checks.check("addresses.international name", "xn--bcher-kva.example", () -> IDN.toASCII("bücher.example"));
    }
}

package tacho.checks.topics;

import java.util.List;
import tacho.checks.Topic;

/** All topics, in the order in which they run. */
public final class Topics {

    private Topics() {}

    public static List<Topic> all() {
        return List.of(
                new PlainFiles(),
                new FileChannels(),
                new Mapping(),
                new FileLocks(),
                new Archives(),
                new Digests(),
                new Ciphers(),
                new Signatures(),
                new KeyStores(),
                new Tls(),
                new Sockets(),
                new Channels(),
                new Addresses(),
                new Http(),
                new Http2(),
                new Processes(),
                new VirtualThreads(),
                new Concurrency(),
                new Clocks(),
                new TimeZones(),
                new Locales(),
                new Texts(),
                new Numbers(),
                new Randomness(),
                new Resources(),
                new Serialization(),
                new Reflection(),
                new Proxies(),
                new Handles(),
                new Services(),
                new Xml(),
                new Logs(),
                new Preference(),
                new SystemProperties(),
                new Management(),
                new Signals(),
                new Exceptions(),
                new References(),
                new Recording(),
                new HeapDumps(),
                new Exhaustion());
    }
}

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Asks a process for its heap by JMX: JmxClient PORT. */
public final class JmxClient {

    private JmxClient() {
    }

    public static void main(String[] words) throws Exception {
        JMXServiceURL address = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + words[0] + "/jmxrmi");
        try (JMXConnector connector = JMXConnectorFactory.connect(address)) {
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(connector.getMBeanServerConnection(),
                    ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            System.out.println("heap seen: " + (memory.getHeapMemoryUsage().getUsed() > 0));
        }
    }
}

package tacho.checks.topics;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import tacho.checks.Checks;
import tacho.checks.Topic;

/**
 * What the platform tells of itself. Figures differ from run to run: only what must hold of them is
 * printed.
 */
final class Management implements Topic {

    /** An own bean. */
    public interface CounterMBean {
        int getCount();

        void increment();
    }

    /** An own bean. */
    public static final class Counter implements CounterMBean {
        private int count;

        @Override
        public int getCount() {
            return count;
        }

        @Override
        public void increment() {
            count++;
        }
    }

    @Override
    public void check(Checks checks) {
        checks.check("management.heap", "used within committed true, committed within maximum true", () -> {
            MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            return "used within committed " + (heap.getUsed() > 0 && heap.getUsed() <= heap.getCommitted())
                    + ", committed within maximum " + (heap.getCommitted() <= heap.getMax());
        });
        checks.check("management.maximum of the heap", "between 400 and 512 MiB true", () -> {
            long max = Runtime.getRuntime().maxMemory() >> 20;
            return "between 400 and 512 MiB " + (max > 400 && max <= 512);
        });
        checks.check("management.runtime", "up true, this process true, arguments true", () -> {
            var runtime = ManagementFactory.getRuntimeMXBean();
            return "up " + (runtime.getUptime() >= 0) + ", this process "
                    + (runtime.getPid() == ProcessHandle.current().pid()) + ", arguments "
                    + runtime.getInputArguments().stream().anyMatch(argument -> argument.startsWith("-Xmx"));
        });
        checks.check("management.collections are counted", true, () -> {
            long before = collections();
            System.gc();
            return collections() > before;
        });
        checks.check("management.threads", "more than one true, CPU time true", () -> {
            var threads = ManagementFactory.getThreadMXBean();
            return "more than one " + (threads.getThreadCount() > 1) + ", CPU time "
                    + (threads.getCurrentThreadCpuTime() > 0);
        });
        checks.alike("management.operating system", () -> {
            var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return system.getName() + " " + system.getArch() + " " + system.getAvailableProcessors() + " processors, "
                    + (system.getTotalMemorySize() >> 20) + " MiB, CPU time " + (system.getProcessCpuTime() > 0);
        });
        checks.check("management.open files", "some true, of at most true", () -> {
            var system = (com.sun.management.UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return "some " + (system.getOpenFileDescriptorCount() > 2) + ", of at most "
                    + (system.getMaxFileDescriptorCount() >= system.getOpenFileDescriptorCount());
        });
        checks.check("management.own bean", 2, () -> {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            ObjectName name = new ObjectName("tacho.checks:type=Counter");
            server.registerMBean(new Counter(), name);
            server.invoke(name, "increment", null, null);
            server.invoke(name, "increment", null, null);
            return server.getAttribute(name, "Count");
        });
        checks.alike("management.processors", () -> Runtime.getRuntime().availableProcessors());
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}

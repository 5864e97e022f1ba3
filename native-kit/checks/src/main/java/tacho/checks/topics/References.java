package tacho.checks.topics;

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** References that the collector clears. */
final class References implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("references.weak", "cleared", () -> {
            WeakReference<Object> reference = new WeakReference<>(new Object());
            return collectUntil(() -> reference.get() == null) ? "cleared" : "kept";
        });
        checks.check("references.soft", "kept", () -> {
            SoftReference<Object> reference = new SoftReference<>(new Object());
            System.gc();
            return reference.get() == null ? "cleared" : "kept";
        });
        checks.check("references.phantom", "queued", () -> {
            ReferenceQueue<Object> queue = new ReferenceQueue<>();
            PhantomReference<Object> reference = new PhantomReference<>(new Object(), queue);
            boolean queued = collectUntil(() -> queue.poll() == reference);
            return queued ? "queued" : "never";
        });
        checks.check("references.weak map", 0, () -> {
            WeakHashMap<Object, String> map = new WeakHashMap<>();
            map.put(new Object(), "value");
            collectUntil(map::isEmpty);
            return map.size();
        });
        checks.check("references.cleaner", "cleaned", () -> {
            CountDownLatch cleaned = new CountDownLatch(1);
            Cleaner.create().register(new Object(), cleaned::countDown);
            return collectUntil(() -> cleaned.getCount() == 0) && cleaned.await(1, TimeUnit.SECONDS)
                    ? "cleaned"
                    : "never";
        });
        checks.check("references.identity", "same true, hash kept true", () -> {
            Object object = new Object();
            int hash = System.identityHashCode(object);
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            return "same " + object.equals(object) + ", hash kept " + (hash == System.identityHashCode(object));
        });
    }

    private static boolean collectUntil(BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 200; i++) {
            System.gc();
            if (done.getAsBoolean()) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }
}

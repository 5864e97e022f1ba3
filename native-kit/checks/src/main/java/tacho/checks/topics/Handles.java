package tacho.checks.topics;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.function.Function;
import java.util.function.Supplier;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Method and variable handles, and lambdas. */
final class Handles implements Topic {

    private int counter;

    @Override
    public void check(Checks checks) {
        checks.check("handles.found and called", "HELLO", () -> {
            MethodHandle upper = MethodHandles.lookup()
                    .findVirtual(String.class, "toUpperCase", MethodType.methodType(String.class));
            return (String) upper.invokeExact("hello");
        });
        checks.check("handles.combined", "<x> guarded", () -> {
            MethodHandle concat = MethodHandles.lookup()
                    .findVirtual(String.class, "concat", MethodType.methodType(String.class, String.class));
            MethodHandle closed = MethodHandles.insertArguments(concat, 1, ">");
            MethodHandle opened = MethodHandles.insertArguments(concat, 0, "<");
            MethodHandle both = MethodHandles.filterReturnValue(opened, closed);
            MethodHandle isEmpty =
                    MethodHandles.lookup().findVirtual(String.class, "isEmpty", MethodType.methodType(boolean.class));
            MethodHandle guarded = MethodHandles.guardWithTest(
                    isEmpty,
                    MethodHandles.dropArguments(MethodHandles.constant(String.class, "empty"), 0, String.class),
                    both);
            return guarded.invoke("x") + " guarded";
        });
        checks.check("handles.variable", "0 swapped true, then 6", () -> {
            VarHandle counter = MethodHandles.lookup().findVarHandle(Handles.class, "counter", int.class);
            int before = (int) counter.getVolatile(this);
            boolean swapped = counter.compareAndSet(this, 0, 5);
            counter.getAndAdd(this, 1);
            return before + " swapped " + swapped + ", then " + this.counter;
        });
        checks.check("handles.of array elements", 3L, () -> {
            VarHandle element = MethodHandles.arrayElementVarHandle(long[].class);
            long[] array = new long[2];
            element.setRelease(array, 1, 3L);
            return (long) element.getAcquire(array, 1);
        });
        checks.check("handles.lambdas", "42 ab 7", () -> {
            Function<Integer, Integer> twice = x -> 2 * x;
            Supplier<String> joined = "a".concat("b")::toString;
            Function<String, Integer> parse = Integer::parseInt;
            return twice.andThen(twice).apply(10) + 2 + " " + joined.get() + " " + parse.apply("7");
        });
        checks.check("handles.stack walked", "check topics.Handles true", () -> {
            String frame = StackWalker.getInstance().walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                    .filter(name -> name.endsWith(".Handles"))
                    .findFirst()
                    .orElse("none"));
            return "check " + frame.replace("tacho.checks.", "") + " "
                    + (StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                                    .getCallerClass()
                            != null);
        });
    }
}

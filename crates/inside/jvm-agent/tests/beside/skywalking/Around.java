package beside;

import java.lang.reflect.Method;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.MethodInterceptResult;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.StaticMethodsAroundInterceptor;

/** Is called around each method, and says so once. */
public class Around implements StaticMethodsAroundInterceptor {
    private static volatile boolean said;

    @Override
    public void beforeMethod(Class type, Method method, Object[] arguments, Class<?>[] types, MethodInterceptResult result) {
        if (!said) {
            said = true;
            System.out.println("wrapped");
        }
    }

    @Override
    public Object afterMethod(Class type, Method method, Object[] arguments, Class<?>[] types, Object result) {
        return result;
    }

    @Override
    public void handleMethodException(Class type, Method method, Object[] arguments, Class<?>[] types, Throwable thrown) {
    }
}

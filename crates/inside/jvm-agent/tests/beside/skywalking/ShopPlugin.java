package beside;

import org.apache.skywalking.apm.agent.core.plugin.interceptor.StaticMethodsInterceptPoint;
import org.apache.skywalking.apm.agent.core.plugin.interceptor.enhance.ClassStaticMethodsEnhancePluginDefine;
import org.apache.skywalking.apm.agent.core.plugin.match.ClassMatch;
import org.apache.skywalking.apm.agent.core.plugin.match.NameMatch;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.description.method.MethodDescription;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.matcher.ElementMatcher;
import org.apache.skywalking.apm.dependencies.net.bytebuddy.matcher.ElementMatchers;

/** What a plugin of the agent says: which class, which methods, and who is called around them. */
public class ShopPlugin extends ClassStaticMethodsEnhancePluginDefine {
    @Override
    protected ClassMatch enhanceClass() {
        return NameMatch.byName("com.acme.Shop");
    }

    @Override
    public StaticMethodsInterceptPoint[] getStaticMethodsInterceptPoints() {
        return new StaticMethodsInterceptPoint[] {new StaticMethodsInterceptPoint() {
            @Override
            public ElementMatcher<MethodDescription> getMethodsMatcher() {
                return ElementMatchers.namedOneOf("render", "row", "swallow");
            }

            @Override
            public String getMethodsInterceptor() {
                return "beside.Around";
            }

            @Override
            public boolean isOverrideArgs() {
                return false;
            }
        }};
    }
}

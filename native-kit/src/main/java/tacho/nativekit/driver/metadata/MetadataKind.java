package tacho.nativekit.driver.metadata;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The JSON files that count anywhere below META-INF/native-image, and the builder options that take
 * them.
 */
enum MetadataKind {
    REACHABILITY("reachability-metadata.json", "ReachabilityMetadataResources"),
    REFLECTION("reflect-config.json", "ReflectionConfigurationResources"),
    RESOURCES("resource-config.json", "ResourceConfigurationResources"),
    PROXIES("proxy-config.json", "DynamicProxyConfigurationResources"),
    SERIALIZATION("serialization-config.json", "SerializationConfigurationResources"),
    SERIALIZATION_DENIED("serialization-deny-config.json", "SerializationDenyConfigurationResources"),
    JNI("jni-config.json", "JNIConfigurationResources"),
    PREDEFINED_CLASSES("predefined-classes-config.json", "PredefinedClassesConfigurationResources");

    private final String fileName;
    private final String option;

    MetadataKind(String fileName, String option) {
        this.fileName = fileName;
        this.option = option;
    }

    static Optional<MetadataKind> of(String resource) {
        String name = resource.substring(resource.lastIndexOf('/') + 1);
        return Stream.of(values()).filter(kind -> kind.fileName.equals(name)).findFirst();
    }

    String argument(String resource) {
        return "-H:" + option + "=" + resource;
    }
}

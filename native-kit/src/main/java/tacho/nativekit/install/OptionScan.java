package tacho.nativekit.install;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import tacho.nativekit.driver.builder.BuilderHome;
import tacho.nativekit.driver.builder.BuilderJvm;
import tacho.nativekit.driver.options.BuilderOption;
import tacho.nativekit.driver.options.OptionCatalogue;
import tacho.nativekit.driver.options.PublicOption;
import tacho.nativekit.driver.options.ValueTransformers;

/**
 * Makes the catalogue of options from the builder's jars: its own descriptors, and the annotations
 * that make some of them public.
 */
final class OptionScan {

    private static final String PUBLIC = "Lcom/oracle/svm/core/option/APIOption;";
    private static final String SEVERAL_PUBLIC = "Lcom/oracle/svm/core/option/APIOption$List;";
    private static final String COLLECTORS = "Lcom/oracle/svm/core/SubstrateOptions$GCGroup;";

    /** The driver itself takes -o, for it puts the image in its place. */
    private static final List<String> OF_THE_DRIVER = List.of("Name");

    private final BuilderHome home;
    private final Path scratch;

    OptionScan(BuilderHome home, Path scratch) {
        this.home = home;
        this.scratch = scratch;
    }

    OptionCatalogue catalogue() throws IOException, InterruptedException {
        List<BuilderOption> builderOptions = describedOptions();
        Map<String, String> help = builderOptions.stream()
                .collect(Collectors.toMap(BuilderOption::name, BuilderOption::help, (first, second) -> first));
        List<PublicOption> publicOptions = new ArrayList<>();
        for (Path jar : home.builderJars()) {
            publicOptions.addAll(annotatedOptions(jar, help));
        }
        for (PublicOption option : publicOptions) {
            if (!ValueTransformers.isKnown(option.transformer())) {
                throw new InstallException(InstallException.NOT_MADE, "The builder's option " + option.spellings()
                        + " rewrites its value with " + option.transformer() + ", which this kit does not know.");
            }
        }
        return new OptionCatalogue(publicOptions, builderOptions);
    }

    private List<BuilderOption> describedOptions() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(home.java().toString()));
        words.addAll(BuilderJvm.flags(home));
        words.addAll(List.of("--add-modules=" + BuilderJvm.MODULE,
                "--add-exports=" + DescribeOptions.DESCRIPTORS_MODULE + "/" + DescribeOptions.DESCRIPTORS_PACKAGE + "=ALL-UNNAMED",
                "-cp", home.driverFolder().toString(), DescribeOptions.class.getName()));
        String text = new Command(words, scratch, BuilderJvm.ENVIRONMENT).runOrFail("Asking the builder for its options");
        return text.lines().map(line -> line.split("\t", -1)).filter(fields -> fields.length == 4)
                .map(fields -> new BuilderOption(fields[0], fields[1], Boolean.parseBoolean(fields[2]), fields[3])).toList();
    }

    private static List<PublicOption> annotatedOptions(Path jar, Map<String, String> help) throws IOException {
        List<PublicOption> options = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().endsWith(".class") && !entry.getName().contains("META-INF/")) {
                    ClassModel type = ClassFile.of().parse(zip.getInputStream(entry).readAllBytes());
                    type.fields().forEach(field -> annotations(field)
                            .map(annotation -> option(field, annotation, help))
                            .filter(option -> !OF_THE_DRIVER.contains(option.builderName())).forEach(options::add));
                }
            }
        }
        return options;
    }

    private static Stream<Annotation> annotations(FieldModel field) {
        return field.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream())
                .flatMap(annotation -> switch (annotation.className().stringValue()) {
                    case PUBLIC -> Stream.of(annotation);
                    case SEVERAL_PUBLIC -> array(annotation, "value", value -> ((AnnotationValue.OfAnnotation) value).annotation()).stream();
                    default -> Stream.empty();
                });
    }

    private static PublicOption option(FieldModel field, Annotation annotation, Map<String, String> help) {
        String builderName = field.fieldName().stringValue();
        boolean isSwitch = field.findAttribute(Attributes.signature())
                .map(signature -> signature.signature().stringValue().contains("<Ljava/lang/Boolean;>")).orElse(false);
        boolean isCollector = value(annotation, "group").map(group -> ((AnnotationValue.OfClass) group).className().stringValue())
                .filter(COLLECTORS::equals).isPresent();
        List<String> spellings = array(annotation, "name", OptionScan::text).stream().map(name -> spelling(name, isCollector)).toList();
        List<Character> separators = array(annotation, "valueSeparator", value -> ((AnnotationValue.OfChar) value).charValue());
        String customHelp = value(annotation, "customHelp").map(OptionScan::text).orElse("");
        return new PublicOption(spellings, builderName, isSwitch,
                value(annotation, "kind").map(kind -> ((AnnotationValue.OfEnum) kind).constantName().stringValue()).orElse("").equals("Negated"),
                separators.isEmpty() ? "=" : separators.stream().map(String::valueOf).collect(Collectors.joining()),
                first(array(annotation, "defaultValue", OptionScan::text)), first(array(annotation, "fixedValue", OptionScan::text)),
                first(array(annotation, "valueTransformer", OptionScan::simpleName)).orElse(""),
                value(annotation, "deprecated").map(OptionScan::text).orElse(""), isCollector ? "gc" : "",
                value(annotation, "extra").map(extra -> ((AnnotationValue.OfBoolean) extra).booleanValue()).orElse(false),
                customHelp.isEmpty() ? help.getOrDefault(builderName, "") : customHelp);
    }

    private static String spelling(String name, boolean isCollector) {
        return isCollector ? "--gc=" + name : name.startsWith("-") ? name : "--" + name;
    }

    private static Optional<AnnotationValue> value(Annotation annotation, String element) {
        return annotation.elements().stream().filter(candidate -> candidate.name().equalsString(element))
                .map(AnnotationElement::value).findFirst();
    }

    private static <T> List<T> array(Annotation annotation, String element, Function<AnnotationValue, T> each) {
        return value(annotation, element).map(values -> ((AnnotationValue.OfArray) values).values().stream().map(each).toList())
                .orElse(List.of());
    }

    private static String text(AnnotationValue value) {
        return ((AnnotationValue.OfString) value).stringValue();
    }

    private static String simpleName(AnnotationValue value) {
        String descriptor = ((AnnotationValue.OfClass) value).className().stringValue();
        return descriptor.substring(Math.max(descriptor.lastIndexOf('/'), descriptor.lastIndexOf('$')) + 1, descriptor.length() - 1);
    }

    private static Optional<String> first(List<String> values) {
        return values.stream().findFirst();
    }
}

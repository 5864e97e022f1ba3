/** A greeting, found by ServiceLoader. */
module tacho.options.french {
    requires tacho.options;

    provides tacho.options.Greeting with tacho.options.french.French;
}

/** A program of two modules: this one, and whoever provides a greeting. */
module tacho.options {
    exports tacho.options;

    uses tacho.options.Greeting;
}

/** The article's other program: a process that says a word and ends. */
final class Hello {
    private Hello() {
    }

    public static void main(String[] arguments) {
        System.out.println("Hello, world!");
    }
}

import java.util.Locale;
import java.util.TimeZone;

/** Says hello, and what it sees of its surroundings. */
public final class HelloWorld {

    private HelloWorld() {
    }

    public static void main(String[] names) {
        System.out.println("Hello, " + (names.length == 0 ? "World" : String.join(" and ", names)) + "!");
        System.out.println(TimeZone.getDefault().getID() + " " + Locale.getDefault());
    }
}

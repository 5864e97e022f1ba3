package tacho.checks.topics;

import java.io.ByteArrayOutputStream;
import java.util.prefs.Preferences;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Preferences; the driver puts them into a folder that is gone afterwards. */
final class Preference implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("preferences.kept", "5 default [number]", () -> {
            Preferences node = Preferences.userRoot().node("tacho/checks");
            node.putInt("number", 5);
            node.flush();
            String kept = node.getInt("number", 0) + " " + node.get("missing", "default") + " "
                    + java.util.List.of(node.keys());
            node.removeNode();
            return kept;
        });
        checks.check("preferences.exported", true, () -> {
            Preferences node = Preferences.userRoot().node("tacho/exported");
            node.put("a", "b");
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            node.exportNode(written);
            node.removeNode();
            return written.toString().contains("<entry key=\"a\" value=\"b\"/>");
        });
    }
}

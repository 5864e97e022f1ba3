package dev.tacho.agent;

import dev.tacho.table.TachoTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;

/** A class with an instrument in it, in a loader of its own, verified by the JVM. */
final class Weaving extends ClassLoader {
    final Weaver weaver;
    final Instrument instrument;

    Weaving(Instrument instrument) {
        super(Weaving.class.getClassLoader());
        this.instrument = instrument;
        this.weaver = new Weaver(null, instrument);
        TachoTable.install(instrument.config());
    }

    static ProbeInstrument probe(String type, String methods, String keys, boolean outermost) {
        String probe = "{'id':'p','class':'" + type + "','methods':[" + methods + "],'keys':[" + keys + "],'outermost':" + outermost + "}";
        return new ProbeInstrument(Request.parse(("{'owners':['dev.tacho.agent.'],'probes':[" + probe + "]}").replace('\'', '"')));
    }

    Class<?> define(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return define(type.getName(), in.readAllBytes());
        }
    }

    Class<?> define(String name, byte[] bytes) {
        byte[] woven = woven(name, bytes);
        byte[] result = woven == null ? bytes : woven;
        return defineClass(name, result, 0, result.length);
    }

    /** As the JVM asks for it. */
    byte[] woven(String name, byte[] bytes) {
        return weaver.transform(this, name.replace('.', '/'), null, null, bytes);
    }

    List<Map<String, Object>> snapshot() {
        return instrument.snapshot();
    }

    long count() {
        return snapshot().stream().filter(line -> "calls".equals(line.get("kind"))).mapToLong(line -> (Long) line.get("count")).sum();
    }
}

package com.medivault.letters.archive;

import com.medivault.letters.crypto.Fingerprints;
import com.medivault.letters.crypto.Sealer;
import com.medivault.letters.letter.Letter;
import com.medivault.letters.letter.LetterFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Holds sealed letters; nothing is kept in the clear longer than for one request. */
public final class LetterArchive {

    private static final Logger LOG = LoggerFactory.getLogger(LetterArchive.class);

    private final Map<String, StoredLetter> letters = new ConcurrentSkipListMap<>();
    private final Sealer sealer;
    private final Fingerprints fingerprints;

    public LetterArchive(Sealer sealer, Fingerprints fingerprints) {
        this.sealer = sealer;
        this.fingerprints = fingerprints;
    }

    public void store(String number, Letter letter) {
        byte[] content = LetterFormat.write(letter);
        letters.put(number, new StoredLetter(number, sealer.seal(number, content), fingerprints.of(content)));
    }

    public Optional<OpenedLetter> open(String number) {
        StoredLetter stored = letters.get(number);
        if (stored == null) {
            return Optional.empty();
        }
        byte[] content = sealer.open(number, stored.sealed());
        boolean intact = fingerprints.matches(content, stored.fingerprint());
        if (!intact) {
            LOG.error("Letter {} does not match its fingerprint", number);
        }
        return Optional.of(new OpenedLetter(number, LetterFormat.read(content), stored.fingerprint(), intact));
    }

    public List<String> numbers() {
        return List.copyOf(letters.keySet());
    }

    public int size() {
        return letters.size();
    }

    public long sealedBytes() {
        return letters.values().stream().mapToLong(letter -> letter.sealed().length).sum();
    }
}

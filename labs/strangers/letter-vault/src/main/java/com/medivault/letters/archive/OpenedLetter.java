package com.medivault.letters.archive;

import com.medivault.letters.letter.Letter;

public record OpenedLetter(String number, Letter letter, String fingerprint, boolean intact) {
}

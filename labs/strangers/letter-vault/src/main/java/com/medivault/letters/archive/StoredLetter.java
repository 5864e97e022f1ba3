package com.medivault.letters.archive;

/** A letter as it lies in the archive. */
record StoredLetter(String number, byte[] sealed, String fingerprint) {
}

package com.medivault.letters.archive;

import com.medivault.letters.letter.Letter;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Letters for demonstrations; real ones come from the ward systems. */
public final class SampleLetters {

    private static final int LETTERS = 300;
    private static final String[] WARDS = {"Cardiology", "Orthopaedics", "Neurology", "Paediatrics", "Surgery"};
    private static final String[] SENTENCES = {
            "The patient was admitted for observation after a fall at home.",
            "On admission the patient was awake, oriented and in stable condition.",
            "Blood pressure was within the expected range throughout the stay.",
            "The laboratory results showed a moderate increase of inflammation markers.",
            "Imaging gave no indication of a fresh fracture.",
            "We adjusted the medication as listed below.",
            "Physiotherapy was started on the second day and tolerated well.",
            "We recommend a check of the kidney values within two weeks.",
            "The wound healed without irritation, the stitches can be removed after ten days.",
            "A further appointment in our outpatient clinic has been arranged.",
    };

    public void fill(LetterArchive archive) {
        Random random = new Random(20_250_114);
        for (int i = 0; i < LETTERS; i++) {
            archive.store(String.format("L-%04d", 1000 + i), letter(i, random));
        }
    }

    private static Letter letter(int index, Random random) {
        String ward = WARDS[index % WARDS.length];
        List<String> paragraphs = new ArrayList<>();
        int count = 22 + random.nextInt(10);
        for (int p = 0; p < count; p++) {
            StringBuilder paragraph = new StringBuilder();
            int sentences = 8 + random.nextInt(6);
            for (int s = 0; s < sentences; s++) {
                if (s > 0) {
                    paragraph.append(' ');
                }
                paragraph.append(SENTENCES[random.nextInt(SENTENCES.length)]);
            }
            paragraphs.add(paragraph.toString());
        }
        return new Letter("Discharge letter " + ward, ward + " ward, St. Anna", "Practice " + (index % 37 + 1),
                LocalDate.of(2025, 1, 1).plusDays(index), paragraphs);
    }
}

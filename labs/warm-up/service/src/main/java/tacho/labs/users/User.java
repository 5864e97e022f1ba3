package tacho.labs.users;

import java.time.LocalDate;
import java.util.UUID;

/** Somebody who is registered. */
record User(UUID id, String firstName, String lastName, LocalDate birthday) {

    /** Of a registration that has been found good. */
    static User of(Registration registration) {
        return new User(UUID.randomUUID(), registration.firstName().strip(), registration.lastName().strip(), birthday(registration));
    }

    static LocalDate birthday(Registration registration) {
        return LocalDate.of(registration.birthYear(), registration.birthMonth(), registration.birthDate());
    }
}

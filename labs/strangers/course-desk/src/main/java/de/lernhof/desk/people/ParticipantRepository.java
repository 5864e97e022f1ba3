package de.lernhof.desk.people;

import java.util.Optional;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface ParticipantRepository extends CrudRepository<Participant, Long> {

    @Query("select p from Participant p where p.id = :id and p.email is not null")
    Optional<Participant> reachable(Long id);
}

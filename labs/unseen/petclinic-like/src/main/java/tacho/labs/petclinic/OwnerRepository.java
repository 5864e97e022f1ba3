package tacho.labs.petclinic;

import java.util.List;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;

public interface OwnerRepository extends JpaRepository<Owner, Long> {

    /** One query for owners and pets. */
    @EntityGraph(attributePaths = "pets")
    List<Owner> findAllByOrderByName();
}

package tacho.labs.petclinic;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class OwnerController {

    private final OwnerRepository owners;

    OwnerController(OwnerRepository owners) {
        this.owners = owners;
    }

    @GetMapping("/")
    String welcome() {
        return "welcome to the clinic: " + owners.count() + " owners at /owners";
    }

    @GetMapping("/owners")
    List<Owner> all() {
        return owners.findAllByOrderByName();
    }

    @GetMapping("/owners/{id}")
    Owner one(@PathVariable long id) {
        return owners.findById(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}

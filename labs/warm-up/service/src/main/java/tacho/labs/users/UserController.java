package tacho.labs.users;

import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class UserController {

    private final UserRegister register;

    UserController(UserRegister register) {
        this.register = register;
    }

    @PostMapping("/api/users")
    @ResponseStatus(HttpStatus.CREATED)
    User register(@Valid @RequestBody Registration registration) {
        User user = User.of(registration);
        if (registration.isDummy()) {
            register.pass(user);
        } else {
            register.write(user);
        }
        return user;
    }
}

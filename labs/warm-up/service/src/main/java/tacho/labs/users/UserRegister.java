package tacho.labs.users;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Where users are written to: the log, and nothing else. */
@Component
class UserRegister {

    private static final Logger LOG = LoggerFactory.getLogger(UserRegister.class);

    void write(User user) {
        LOG.info("Registered {} {}, born {}, as {}", user.firstName(), user.lastName(), user.birthday(), user.id());
    }

    /** Of a dummy nothing lasts. */
    void pass(User dummy) {
        LOG.debug("Dummy {} {}, born {}, passes as {}", dummy.firstName(), dummy.lastName(), dummy.birthday(), dummy.id());
    }
}

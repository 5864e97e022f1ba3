package tacho.labs.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.Environment;
import tools.jackson.databind.JsonNode;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
class RegistrationTest {

    private static final String GOOD = """
            {"firstName": "Ada", "lastName": "Lovelace", "birthYear": 1990, "birthMonth": 12, "birthDate": 10, "isDummy": false}""";

    private Client client;

    @BeforeEach
    void connect(@Autowired Environment environment) {
        client = new Client(environment.getRequiredProperty("local.server.port", Integer.class));
    }

    @Test
    void whoRegistersIsAnsweredWithIdAndBirthdayAndWrittenToTheLog(CapturedOutput output) throws Exception {
        Client.Answer answer = client.post(GOOD);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("firstName")).isEqualTo("Ada");
        assertThat(answer.text("lastName")).isEqualTo("Lovelace");
        assertThat(answer.text("birthday")).isEqualTo("1990-12-10");
        String id = UUID.fromString(answer.text("id")).toString();
        assertThat(output).contains("Registered Ada Lovelace, born 1990-12-10, as " + id);
    }

    @Test
    void everyRegistrationHasAnIdOfItsOwn() throws Exception {
        assertThat(client.post(GOOD).text("id")).isNotEqualTo(client.post(GOOD).text("id"));
    }

    @Test
    void aDummyIsAnsweredLikeEverybodyAndNotWritten(CapturedOutput output) throws Exception {
        Client.Answer answer = client.post(GOOD.replace("false", "true").replace("Ada", "Dora"));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("birthday")).isEqualTo("1990-12-10");
        assertThat(output).doesNotContain("Dora").doesNotContain(answer.text("id"));
    }

    @Test
    void whoDoesNotSayIsNoDummy(CapturedOutput output) throws Exception {
        Client.Answer answer = client.post(GOOD.replace(", \"isDummy\": false", ""));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(output).contains("as " + answer.text("id"));
    }

    @ParameterizedTest
    @CsvSource({"2024,2,29", "2000,2,29", "1900,1,1", "1999,12,31"})
    void daysOfTheCalendarAreAccepted(int year, int month, int date) throws Exception {
        Client.Answer answer = client.post(born(year, month, date));
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.text("birthday")).isEqualTo(LocalDate.of(year, month, date).toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "1990;2;30;birthDate;no such day: Invalid date 'FEBRUARY 30'",
            "1900;2;29;birthDate;no such day: Invalid date 'February 29' as '1900' is not a leap year",
            "1990;4;31;birthDate;no such day: Invalid date 'APRIL 31'",
            "1990;1;0;birthDate;no such day: Invalid value for DayOfMonth (valid values 1 - 28/31): 0",
            "1990;0;1;birthMonth;must be between 1 and 12",
            "1990;13;1;birthMonth;must be between 1 and 12",
            "1899;1;1;birthYear;must be 1900 or later",
            "9999;12;31;birthYear;9999-12-31 is still to come",
    })
    void otherDaysAreRefusedAtThePartThatIsWrong(int year, int month, int date, String field, String message) throws Exception {
        assertThat(refused(born(year, month, date), field)).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"firstName", "lastName", "birthYear", "birthMonth", "birthDate"})
    void aMissingFieldIsNamed(String field) throws Exception {
        String without = GOOD.replaceFirst("\"" + field + "\": [^,]*, ", "");
        assertThat(without).isNotEqualTo(GOOD);
        assertThat(refused(without, field)).isEqualTo("must not be null");
    }

    @Test
    void allThatIsMissingIsNamedAtOnce() throws Exception {
        Client.Answer answer = client.post("{}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().path("errors").size()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "birthYear;\"1990\";must be a whole number",
            "birthMonth;1.5;must be a whole number",
            "birthDate;[10];must be a whole number",
            "birthYear;99999999999;must be a whole number",
            "firstName;{\"a\": 1};must be a text",
            "isDummy;\"yes\";must be true or false",
            "isDummy;1;must be true or false",
    })
    void aFieldOfAnotherTypeIsNamed(String field, String value, String message) throws Exception {
        String wrong = GOOD.replaceFirst("\"" + field + "\": [^,}]*", "\"" + field + "\": " + value);
        assertThat(refused(wrong, field)).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\\nRegistered Eve", "\\u0007"})
    void aNameThatIsNoneIsRefused(String name, CapturedOutput output) throws Exception {
        String message = refused(GOOD.replace("Ada", name), "firstName");
        assertThat(message).isEqualTo("must hold more than spaces, and no control characters");
        assertThat(output).doesNotContain("Eve");
    }

    @Test
    void aNameOfAHundredAndOneCharactersIsTooLong() throws Exception {
        assertThat(refused(GOOD.replace("Ada", "A".repeat(101)), "firstName")).isEqualTo("size must be between 0 and 100");
    }

    /** Hibernate Validator would evaluate `${...}` in messages. */
    @Test
    void whatIsSentIsNoTemplate(CapturedOutput output) throws Exception {
        Client.Answer answer = client.post(GOOD.replace("Ada", "${1+1}{}"));
        assertThat(answer.text("firstName")).isEqualTo("${1+1}{}");
        assertThat(output).contains("Registered ${1+1}{} Lovelace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "\"Ada\"", "null"})
    void whatIsNoRegistrationIsRefused(String body) throws Exception {
        Client.Answer answer = client.post(body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.text("detail")).isEqualTo("The body is not a registration in JSON.");
    }

    @Test
    void anotherContentTypeIsRefused() throws Exception {
        assertThat(client.post(GOOD, "text/plain").status()).isEqualTo(415);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/liveness", "/readiness"})
    void healthAndItsGroupsAreUp(String group) throws Exception {
        Client.Answer answer = client.get("/actuator/health" + group);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text("status")).isEqualTo("UP");
    }

    private static String born(int year, int month, int date) {
        return GOOD.replace("1990", "" + year).replace("12,", month + ",").replace("10,", date + ",");
    }

    /** What is said of the one field that is wrong. */
    private String refused(String body, String field) throws Exception {
        Client.Answer answer = client.post(body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.text("detail")).isEqualTo("The registration is not valid.");
        JsonNode errors = answer.body().path("errors");
        assertThat(errors.size()).as(errors.toString()).isEqualTo(1);
        assertThat(errors.path(0).path("field").asString()).isEqualTo(field);
        return errors.path(0).path("message").asString();
    }
}

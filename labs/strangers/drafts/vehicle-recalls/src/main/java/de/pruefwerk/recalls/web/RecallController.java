package de.pruefwerk.recalls.web;

import de.pruefwerk.recalls.status.RecallService;
import de.pruefwerk.recalls.status.RecallStatus;
import de.pruefwerk.recalls.status.Vin;
import de.pruefwerk.recalls.workshop.Repair;
import de.pruefwerk.recalls.workshop.RepairBook;
import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClientException;

@RestController
@RequestMapping("/vehicles/{vin}/recalls")
public class RecallController {

    private static final Logger LOG = LoggerFactory.getLogger(RecallController.class);

    record RepairReport(String campaign, LocalDate done, String workshop) {
    }

    private final RecallService recalls;
    private final RepairBook repairs;

    public RecallController(RecallService recalls, RepairBook repairs) {
        this.recalls = recalls;
        this.repairs = repairs;
    }

    @GetMapping
    public RecallStatus status(@PathVariable("vin") String vin) {
        return recalls.status(Vin.parse(vin));
    }

    @PostMapping("/repairs")
    @ResponseStatus(HttpStatus.CREATED)
    public void repaired(@PathVariable("vin") String vin, @RequestBody RepairReport report) {
        repairs.enter(new Repair(Vin.parse(vin).text(), report.campaign(), report.done(), report.workshop()));
        LOG.info("Campaign {} mended at {}", report.campaign(), vin);
    }

    @ExceptionHandler(IllegalArgumentException.class)
    public ProblemDetail badVin(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    }

    @ExceptionHandler(RestClientException.class)
    public ProblemDetail registryFailed(RestClientException e) {
        LOG.warn("Registry failed: {}", e.getMessage());
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, "the registry does not answer");
    }
}

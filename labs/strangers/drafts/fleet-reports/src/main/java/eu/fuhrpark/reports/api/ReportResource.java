package eu.fuhrpark.reports.api;

import eu.fuhrpark.reports.report.MonthlyReport;
import eu.fuhrpark.reports.report.ReportBuilder;
import eu.fuhrpark.reports.runs.ReportRun;
import eu.fuhrpark.reports.runs.ReportRuns;
import eu.fuhrpark.reports.trips.TripArchive;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.List;

@Path("/reports")
@Produces(MediaType.APPLICATION_JSON)
public class ReportResource {

    private final TripArchive archive;
    private final ReportBuilder builder;
    private final ReportRuns runs;

    public ReportResource(TripArchive archive, ReportBuilder builder, ReportRuns runs) {
        this.archive = archive;
        this.builder = builder;
        this.runs = runs;
    }

    @GET
    @Path("/{vehicle}")
    public MonthlyReport monthly(@PathParam("vehicle") String vehicle, @QueryParam("month") String month) {
        if (!archive.knows(vehicle)) {
            throw new NotFoundException("no vehicle " + vehicle);
        }
        ReportRun run = runs.begin(vehicle, parse(month));
        try {
            return builder.build(run.vehicle(), run.month());
        } finally {
            runs.end(run);
        }
    }

    @GET
    @Path("/running")
    public List<ReportRun> running() {
        return runs.running();
    }

    private static YearMonth parse(String month) {
        try {
            return YearMonth.parse(month == null ? "2026-01" : month);
        } catch (DateTimeException e) {
            throw new BadRequestException("month must look like 2026-03");
        }
    }
}

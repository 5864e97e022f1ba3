package nl.havendienst.berths.plan;

import java.util.logging.Level;
import java.util.logging.Logger;
import nl.havendienst.berths.tide.TideClient;
import nl.havendienst.berths.tide.WaterLevels;

public final class ProposalService {

    private static final Logger LOG = Logger.getLogger(ProposalService.class.getName());

    private final BerthPlan plan;
    private final TideClient tides;

    public ProposalService(BerthPlan plan, TideClient tides) {
        this.plan = plan;
        this.tides = tides;
    }

    public Proposal propose(ShipCall call) {
        WaterLevels levels = new WaterLevels(tides, call.arrival(), call.departure());
        Proposal proposal = plan.propose(call, levels);
        if (proposal == null) {
            LOG.log(Level.FINE, "No berth for {0}", call.ship());
        }
        return proposal;
    }
}

package com.helioroof.estimate.calc;

import com.helioroof.estimate.roof.Roof;
import com.helioroof.estimate.roof.RoofCatalogue;

import java.util.Optional;

public final class YieldService {

    private final RoofCatalogue roofs;
    private final YieldCalculator calculator;
    private final YieldCache cache;

    public YieldService(RoofCatalogue roofs, YieldCalculator calculator, YieldCache cache) {
        this.roofs = roofs;
        this.calculator = calculator;
        this.cache = cache;
    }

    public Optional<Roof> roof(String id) {
        return roofs.find(id);
    }

    public RoofYield yieldOf(Roof roof, int[] months, ModuleType module) {
        YieldKey key = new YieldKey(roof.id(), months, module);
        return cache.get(key, () -> calculator.calculate(roof, months, module));
    }

    public int cached() {
        return cache.size();
    }
}

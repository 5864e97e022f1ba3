package com.helioroof.estimate.calc;

/** What a yield depends on. */
public record YieldKey(String roofId, String months, ModuleType module) {
}

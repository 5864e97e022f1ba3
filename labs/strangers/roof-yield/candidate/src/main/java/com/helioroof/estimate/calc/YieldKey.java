package com.helioroof.estimate.calc;

/** What a yield depends on. */
public record YieldKey(String roofId, int[] months, ModuleType module) {
}

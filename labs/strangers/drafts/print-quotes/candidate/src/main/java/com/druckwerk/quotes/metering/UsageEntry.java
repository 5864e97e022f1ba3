package com.druckwerk.quotes.metering;

import java.time.Instant;

/** One quoted position. */
public record UsageEntry(Instant at, String step) {
}

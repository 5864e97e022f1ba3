/** The warm-up in Micrometer's meters, and out of those of the traffic. */
package dev.tacho.warmup.metrics;

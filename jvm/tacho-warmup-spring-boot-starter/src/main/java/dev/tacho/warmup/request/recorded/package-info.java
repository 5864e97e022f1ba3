/**
 * Recorded requests: targets of vegeta, as {@code tacho load --targets} reads them, as text or as a
 * JSON object a line.
 */
package dev.tacho.warmup.request.recorded;

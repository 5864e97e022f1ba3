/** The end of a service whose clients keep their connections. */
package dev.tacho.warmup.leave;

/** Nobody is told that the service is ready before it is. */
package dev.tacho.warmup.readiness;

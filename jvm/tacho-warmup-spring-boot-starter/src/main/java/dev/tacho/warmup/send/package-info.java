/** Sends requests to the service itself, through its real connector. */
package dev.tacho.warmup.send;

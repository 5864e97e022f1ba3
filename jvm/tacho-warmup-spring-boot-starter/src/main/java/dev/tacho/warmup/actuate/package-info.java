/** The actuator endpoint {@code warmup}. */
package dev.tacho.warmup.actuate;

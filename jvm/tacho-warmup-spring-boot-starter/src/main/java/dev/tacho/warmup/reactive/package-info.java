/** The warm-up in a reactive server. */
package dev.tacho.warmup.reactive;

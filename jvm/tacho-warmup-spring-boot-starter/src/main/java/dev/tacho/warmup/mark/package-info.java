/** How requests of the warm-up are told from those of the world. */
package dev.tacho.warmup.mark;

/** What services write on their controllers. */
package dev.tacho.warmup;

/** The warm-up of this start: who sends, how long, what came of it, and who is told. */
package dev.tacho.warmup.run;

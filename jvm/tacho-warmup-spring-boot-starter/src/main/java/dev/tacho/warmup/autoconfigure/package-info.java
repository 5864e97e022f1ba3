/** The warm-up as beans, for Spring Boot 3.5 and 4. */
package dev.tacho.warmup.autoconfigure;

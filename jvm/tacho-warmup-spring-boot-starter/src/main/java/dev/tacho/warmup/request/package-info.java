/** What is sent: where requests come from, and which is the next. */
package dev.tacho.warmup.request;

/** Requests that stand on the methods of controllers. */
package dev.tacho.warmup.request.annotated;

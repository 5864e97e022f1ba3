/** Requests from the examples of an OpenAPI 3 document. */
package dev.tacho.warmup.request.openapi;

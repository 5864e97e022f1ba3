/** The warm-up in a servlet container. */
package dev.tacho.warmup.servlet;

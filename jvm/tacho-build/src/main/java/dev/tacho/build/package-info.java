/** What the plugins for build tools have in common: words of commands, exit codes, the program. */
package dev.tacho.build;

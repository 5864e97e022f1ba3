/* Formatted output that says -1 when the buffer is too small, where libc says how much it would
   have written. */
#include <stdarg.h>
#include <stdio.h>

#include "libjvm.h"

int jio_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
    if ((ssize_t)size <= 0) {
        return -1;
    }
    int length = vsnprintf(buffer, size, format, arguments);
    return length < 0 || (size_t)length >= size ? -1 : length;
}

int jio_snprintf(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = jio_vsnprintf(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

int jio_vfprintf(FILE *file, const char *format, va_list arguments) {
    return vfprintf(file, format, arguments);
}

int jio_fprintf(FILE *file, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = jio_vfprintf(file, format, arguments);
    va_end(arguments);
    return length;
}

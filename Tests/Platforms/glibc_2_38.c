// Functions of glibc 2.38 that Swift's libraries of Debian unstable call, for a system with an older glibc.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As of C23; the older ones do not read binary numbers, such as 0b1.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int read = vsscanf(text, format, arguments);
    va_end(arguments);
    return read;
}

size_t strlcpy(char *target, const char *source, size_t size) {
    size_t length = strlen(source);
    if (size > 0) {
        size_t kept = length < size ? length : size - 1;
        memcpy(target, source, kept);
        target[kept] = '\0';
    }
    return length;
}

size_t strlcat(char *target, const char *source, size_t size) {
    size_t used = strnlen(target, size);
    return used + strlcpy(target + used, source, size - used);
}

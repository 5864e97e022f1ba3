/*
 * The user's locale after setlocale(3): LC_MESSAGES decides what is displayed, LC_CTYPE how things
 * are formatted, as Java has it. A locale's name is language[_COUNTRY][.charset][@modifier]; the
 * modifier may name a script.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "svm_locale.h"

static svm_locale_props_t locale;

static const struct {
    const char *modifier, *script, *variant;
} MODIFIERS[] = {
    {"latin", "Latn", NULL}, {"Latn", "Latn", NULL}, {"cyrillic", "Cyrl", NULL}, {"Cyrl", "Cyrl", NULL},
    {"devanagari", "Deva", NULL}, {"arabic", "Arab", NULL}, {"Arab", "Arab", NULL}, {"nynorsk", NULL, "NY"},
};

struct parts {
    char *language, *country;
    const char *script, *variant;
};

/* A copy of what lies before the end or the first of the separators, or NULL when that is
   nothing. */
static char *copy_until(const char *text, const char *separators, int *out_of_memory) {
    size_t length = strcspn(text, separators);
    if (length == 0) {
        return NULL;
    }
    char *copy = strndup(text, length);
    *out_of_memory |= copy == NULL;
    return copy;
}

static struct parts parse(const char *name, int *out_of_memory) {
    struct parts parts = {0};
    if (name == NULL || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0) {
        name = "en_US"; /* as Java has it */
    } else if (strncmp(name, "C.", 2) == 0) {
        name = "en";
    }
    parts.language = copy_until(name, "_.@", out_of_memory);
    const char *country = strchr(name, '_');
    if (country != NULL) {
        parts.country = copy_until(country + 1, ".@", out_of_memory);
    }
    const char *modifier = strchr(name, '@');
    for (size_t i = 0; modifier != NULL && i < sizeof MODIFIERS / sizeof *MODIFIERS; i++) {
        if (strcmp(modifier + 1, MODIFIERS[i].modifier) == 0) {
            parts.script = MODIFIERS[i].script;
            parts.variant = MODIFIERS[i].variant;
        }
    }
    return parts;
}

int svm_initialize_locale(void) {
    int out_of_memory = 0;
    setlocale(LC_ALL, "");
    struct parts display = parse(setlocale(LC_MESSAGES, NULL), &out_of_memory);
    struct parts format = parse(setlocale(LC_CTYPE, NULL), &out_of_memory);
    locale = (svm_locale_props_t){
        .display_language = display.language, .display_script = display.script,
        .display_country = display.country, .display_variant = display.variant,
        .format_language = format.language, .format_script = format.script,
        .format_country = format.country, .format_variant = format.variant,
    };
    return out_of_memory ? SVM_LOCALE_INITIALIZATION_OUT_OF_MEMORY : SVM_LOCALE_INITIALIZATION_SUCCEEDED;
}

const svm_locale_props_t *svm_get_locale(void) {
    return &locale;
}

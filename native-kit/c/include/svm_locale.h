/* The user's locale, once for what is displayed and once for how numbers and dates are
   formatted. Absent parts are NULL. */
#pragma once

#define SVM_LOCALE_INITIALIZATION_SUCCEEDED 0
#define SVM_LOCALE_INITIALIZATION_OUT_OF_MEMORY 1

typedef struct {
    const char *display_language;
    const char *display_script;
    const char *display_country;
    const char *display_variant;
    const char *format_language;
    const char *format_script;
    const char *format_country;
    const char *format_variant;
} svm_locale_props_t;

int svm_initialize_locale(void);
const svm_locale_props_t *svm_get_locale(void);

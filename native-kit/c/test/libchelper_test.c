/* Processor check, time zone, locale, signals, thread time. */
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "check.h"
#include "cpu_check.h"
#include "files.h"
#include "svm_locale.h"
#include "time_zone.h"

int cSunMiscSignal_open(void);
int cSunMiscSignal_close(void);
int cSunMiscSignal_awaitSemaphore(void);
int cSunMiscSignal_checkPendingSignal(void);
bool cSunMiscSignal_signalRangeCheck(int signal);
void (*cSunMiscSignal_signalHandlerFunctionPointer(void))(int);
int64_t getThreadUserTimeSlow(int thread);
char *SVM_FindJavaTZmd(const char *unused, int length);

static void processor_that_has_what_is_needed(void) {
    CPUFeatures features;
    char mask[sizeof features], names[64] = "";
    determineCPUFeatures(&features);
    CHECK_TRUE(features.fSSE2 && features.fCMOV && features.fTSC); /* every amd64 processor has these */
    CHECK_TRUE(!features.fAVX10_1 || (features.fAVX512PF && features.fAVX512ER)); /* as HotSpot sees them */
    for (size_t i = 0; i < sizeof features; i++) {
        mask[i] = (char)(((char *)&features)[i] ? 0xfe : 0xff);
    }
    CHECK_NUMBER(cpu_features_missing(mask, &features, names, sizeof names), 0);
    CHECK_TEXT(names, "");
}

static void processor_that_lacks_something(void) {
    CPUFeatures features;
    char mask[sizeof features], names[64] = "";
    memset(&features, 1, sizeof features);
    memset(mask, 0xfe, sizeof mask);
    features.fAVX2 = 0;
    features.fBMI1 = 0;
    CHECK_NUMBER(cpu_features_missing(mask, &features, names, sizeof names), 2);
    CHECK_TEXT(names, "AVX2, BMI1");
    memset(&features, 0, sizeof features);
    CHECK_NUMBER(cpu_features_missing(mask, &features, names, sizeof names), sizeof features);
    CHECK_TRUE(strlen(names) < sizeof names);
}

static void free_and_check(char *actual, const char *expected) {
    CHECK_TEXT(actual, expected);
    free(actual);
}

static void time_zone_by_variable(void) {
    free_and_check(time_zone_of_variable("Europe/Berlin"), "Europe/Berlin");
    free_and_check(time_zone_of_variable(":Asia/Tokyo"), "Asia/Tokyo");
    free_and_check(time_zone_of_variable("posix/Asia/Tokyo"), "Asia/Tokyo");
    free_and_check(time_zone_of_variable("/usr/share/zoneinfo/Asia/Tokyo"), "Asia/Tokyo");
    setenv("TZ", "America/Lima", 1);
    free_and_check(SVM_FindJavaTZmd(NULL, 0), "America/Lima");
    unsetenv("TZ");
}

static void time_zone_by_file(void) {
    char link[PATH_MAX + 64], zones[PATH_MAX + 64];
    make_tree();
    snprintf(link, sizeof link, "%s/localtime", tree);
    snprintf(zones, sizeof zones, "%s/zoneinfo", tree);
    free_and_check(time_zone_of_system(link, zones), NULL);
    write_file("/zoneinfo/Asia/Tokyo", "TZif2 nine hours");
    write_file("/zoneinfo/Europe/Berlin", "TZif2 one hour..");
    write_file("/zoneinfo/localtime", "TZif2 one hour..");
    CHECK_NUMBER(symlink("../usr/share/zoneinfo/Asia/Tokyo", link), 0);
    free_and_check(time_zone_of_system(link, zones), "Asia/Tokyo");
    unlink(link);
    write_file("/localtime", "TZif2 one hour..");
    free_and_check(time_zone_of_system(link, zones), "Europe/Berlin");
    write_file("/localtime", "TZif2 somewhere else");
    free_and_check(time_zone_of_system(link, zones), NULL);
    remove_tree();
}

static void locale_of_the_environment(void) {
    setenv("LC_ALL", "C", 1);
    CHECK_NUMBER(svm_initialize_locale(), SVM_LOCALE_INITIALIZATION_SUCCEEDED);
    CHECK_TEXT(svm_get_locale()->display_language, "en");
    CHECK_TEXT(svm_get_locale()->display_country, "US");
    CHECK_TEXT(svm_get_locale()->format_language, "en");
    CHECK_TEXT(svm_get_locale()->format_script, NULL);
    if (setlocale(LC_ALL, "C.UTF-8") != NULL) { /* not every system has it */
        setenv("LC_ALL", "C.UTF-8", 1);
        CHECK_NUMBER(svm_initialize_locale(), SVM_LOCALE_INITIALIZATION_SUCCEEDED);
        CHECK_TEXT(svm_get_locale()->display_language, "en");
        CHECK_TEXT(svm_get_locale()->display_country, NULL);
    }
}

static void signals_are_counted_until_asked_for(void) {
    CHECK_TRUE(!cSunMiscSignal_signalRangeCheck(0));
    CHECK_TRUE(cSunMiscSignal_signalRangeCheck(SIGTERM));
    CHECK_TRUE(!cSunMiscSignal_signalRangeCheck(1000));
    CHECK_NUMBER(cSunMiscSignal_open(), 0);
    CHECK_TRUE(cSunMiscSignal_open() != 0);
    CHECK_NUMBER(cSunMiscSignal_checkPendingSignal(), -1);
    signal(SIGUSR1, cSunMiscSignal_signalHandlerFunctionPointer());
    signal(SIGUSR2, cSunMiscSignal_signalHandlerFunctionPointer());
    raise(SIGUSR2);
    raise(SIGUSR1);
    raise(SIGUSR1);
    for (int i = 0; i < 3; i++) {
        CHECK_NUMBER(cSunMiscSignal_awaitSemaphore(), 0);
    }
    CHECK_NUMBER(cSunMiscSignal_checkPendingSignal(), SIGUSR1);
    CHECK_NUMBER(cSunMiscSignal_checkPendingSignal(), SIGUSR1);
    CHECK_NUMBER(cSunMiscSignal_checkPendingSignal(), SIGUSR2);
    CHECK_NUMBER(cSunMiscSignal_checkPendingSignal(), -1);
    CHECK_NUMBER(cSunMiscSignal_close(), 0);
}

static void time_of_threads(void) {
    CHECK_TRUE(getThreadUserTimeSlow((int)syscall(SYS_gettid)) >= 0);
    CHECK_NUMBER(getThreadUserTimeSlow(0x7fffffff), -1);
}

int main(void) {
    processor_that_has_what_is_needed();
    processor_that_lacks_something();
    time_zone_by_variable();
    time_zone_by_file();
    locale_of_the_environment();
    signals_are_counted_until_asked_for();
    time_of_threads();
    return end_of_checks("libchelper");
}

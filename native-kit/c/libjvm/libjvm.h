/* The few functions of a virtual machine that the JDK's own libraries call in a native image
   (jvm.h of the JDK names them). */
#pragma once

#include <jni.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>

void initialize(void);

jint JVM_ActiveProcessorCount(void);
jlong JVM_CurrentTimeMillis(JNIEnv *env, jclass ignored);
jlong JVM_NanoTime(JNIEnv *env, jclass ignored);
jlong JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass ignored, jlong second);
void JVM_Yield(JNIEnv *env, jclass ignored);
void JVM_BeforeHalt(void);
void JVM_Halt(jint code);
jint JVM_FindSignal(const char *name);
jboolean JVM_RaiseSignal(jint signal);

void *JVM_FindLibraryEntry(void *library, const char *name);
void JVM_UnloadLibrary(void *library);
char *JVM_NativePath(char *path);
jboolean JVM_IsSupportedJNIVersion(jint version);
jboolean JVM_IsStaticallyLinked(void);
jboolean JVM_IsUseContainerSupport(void);
jboolean JVM_IsPreviewEnabled(void);
jstring JVM_GetTemporaryDirectory(JNIEnv *env);

void *JVM_RawMonitorCreate(void);
void JVM_RawMonitorDestroy(void *monitor);
jint JVM_RawMonitorEnter(void *monitor);
void JVM_RawMonitorExit(void *monitor);

int jio_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);
int jio_snprintf(char *buffer, size_t size, const char *format, ...);
int jio_vfprintf(FILE *file, const char *format, va_list arguments);
int jio_fprintf(FILE *file, const char *format, ...);

void *JVM_GetManagement(jint version_wanted);

void jvm_function_is_absent(const char *name) __attribute__((noreturn));

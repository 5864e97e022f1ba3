#pragma once

#include <stddef.h>

#include "cpu_features.h"

/* How many features the mask asks for and the processor lacks; their names, as many as fit, are
   written to names. */
int cpu_features_missing(const char *mask, const CPUFeatures *features, char *names, size_t size);

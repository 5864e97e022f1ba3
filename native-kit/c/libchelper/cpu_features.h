#pragma once

#include "amd64cpufeatures.h"

void determineCPUFeatures(CPUFeatures *features);

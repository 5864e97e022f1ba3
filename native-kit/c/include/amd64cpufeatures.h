/*
 * The processor features of amd64 that the image builder asks for by name, one byte each, in its
 * order. Filled by libchelper/cpu_features.c.
 */
#pragma once

#define CPU_FEATURES(feature) \
    feature(CX8) feature(CMOV) feature(FXSR) feature(HT) feature(MMX) \
    feature(AMD_3DNOW_PREFETCH) feature(SSE) feature(SSE2) feature(SSE3) feature(SSSE3) \
    feature(SSE4A) feature(SSE4_1) feature(SSE4_2) feature(POPCNT) feature(LZCNT) \
    feature(TSC) feature(TSCINV) feature(TSCINV_BIT) feature(AVX) feature(AVX2) \
    feature(AES) feature(ERMS) feature(CLMUL) feature(BMI1) feature(BMI2) \
    feature(RTM) feature(ADX) feature(AVX512F) feature(AVX512DQ) feature(AVX512PF) \
    feature(AVX512ER) feature(AVX512CD) feature(AVX512BW) feature(AVX512VL) feature(SHA) \
    feature(FMA) feature(VZEROUPPER) feature(AVX512_VPOPCNTDQ) feature(AVX512_VPCLMULQDQ) feature(AVX512_VAES) \
    feature(AVX512_VNNI) feature(FLUSH) feature(FLUSHOPT) feature(CLWB) feature(AVX512_VBMI2) \
    feature(AVX512_VBMI) feature(HV) feature(SERIALIZE) feature(RDTSCP) feature(RDPID) \
    feature(FSRM) feature(GFNI) feature(AVX512_BITALG) feature(PKU) feature(OSPKE) \
    feature(CET_IBT) feature(CET_SS) feature(F16C) feature(AVX512_IFMA) feature(AVX_IFMA) \
    feature(APX_F) feature(SHA512) feature(AVX512_FP16) feature(AVX10_1) feature(AVX10_2)

#define CPU_FEATURE_BYTE(name) char f##name;
typedef struct {
    CPU_FEATURES(CPU_FEATURE_BYTE)
} CPUFeatures;

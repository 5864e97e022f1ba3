/*
 * The processor features of aarch64 that the image builder asks for by name, one byte each, in its
 * order. Here because the builder's C queries include it on every platform; this kit makes images
 * for amd64 only.
 */
#pragma once

typedef struct {
    char fFP;
    char fASIMD;
    char fEVTSTRM;
    char fAES;
    char fPMULL;
    char fSHA1;
    char fSHA2;
    char fCRC32;
    char fLSE;
    char fDCPOP;
    char fSHA3;
    char fSHA512;
    char fSVE;
    char fSVE2;
    char fSTXR_PREFETCH;
    char fA53MAC;
    char fDMB_ATOMICS;
    char fPACA;
    char fSVEBITPERM;
    char fFPHP;
    char fASIMDHP;
} CPUFeatures;

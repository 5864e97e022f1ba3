/*
 * The processor features of riscv64 that the image builder asks for by name, one byte each, in its
 * order. Here because the builder's C queries include it on every platform; this kit makes images
 * for amd64 only.
 */
#pragma once

typedef struct {
    char fI;
    char fM;
    char fA;
    char fF;
    char fD;
    char fC;
    char fV;
} CPUFeatures;

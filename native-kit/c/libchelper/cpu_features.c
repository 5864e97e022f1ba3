/*
 * Asks the processor, by CPUID and XGETBV, for the features that struct CPUFeatures names. Bits
 * after Intel's Software Developer's Manual, volume 2A, CPUID, and AMD's APM volume 3, appendix E.
 */
#include <cpuid.h>
#include <stdint.h>
#include <string.h>

#include "cpu_features.h"

enum reg { EAX, EBX, ECX, EDX };

/* What the operating system must save on a context switch before a feature may be used (bits of
   XCR0). */
enum { SAVES_NOTHING = 0, SAVES_AVX = 0x6, SAVES_AVX512 = 0xe6, SAVES_APX = 0x80000 };

struct bit {
    uint32_t leaf, subleaf;
    enum reg reg;
    int bit;
    uint64_t saved;
};

static uint32_t read_leaf(uint32_t leaf, uint32_t subleaf, enum reg reg) {
    uint32_t r[4] = {0, 0, 0, 0};
    if (__get_cpuid_max(leaf & 0x80000000u, NULL) < leaf) {
        return 0;
    }
    __cpuid_count(leaf, subleaf, r[EAX], r[EBX], r[ECX], r[EDX]);
    return r[reg];
}

static uint64_t state_saved_by_system(void) {
    uint32_t low, high;
    if (!(read_leaf(1, 0, ECX) >> 27 & 1)) { /* OSXSAVE: without it XGETBV is an illegal instruction */
        return 0;
    }
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

/* Leaf 24H: the version of AVX10, 0 where there is none. */
static int avx10_version(uint64_t saved) {
    int announced = read_leaf(7, 1, EDX) >> 19 & 1;
    return announced && (saved & SAVES_AVX512) == SAVES_AVX512 ? (int)(read_leaf(0x24, 0, EBX) & 0xff) : 0;
}

static char has(struct bit b, uint64_t saved) {
    return (saved & b.saved) == b.saved && (read_leaf(b.leaf, b.subleaf, b.reg) >> b.bit & 1);
}

#define FEATURE(name, ...) features->name = has((struct bit){__VA_ARGS__}, saved)

void determineCPUFeatures(CPUFeatures *features) {
    const uint32_t extended = 0x80000001u, power = 0x80000007u;
    uint64_t saved = state_saved_by_system();
    memset(features, 0, sizeof *features);

    FEATURE(fTSC, 1, 0, EDX, 4, SAVES_NOTHING);
    FEATURE(fCX8, 1, 0, EDX, 8, SAVES_NOTHING);
    FEATURE(fCMOV, 1, 0, EDX, 15, SAVES_NOTHING);
    FEATURE(fFLUSH, 1, 0, EDX, 19, SAVES_NOTHING);
    FEATURE(fMMX, 1, 0, EDX, 23, SAVES_NOTHING);
    FEATURE(fFXSR, 1, 0, EDX, 24, SAVES_NOTHING);
    FEATURE(fSSE, 1, 0, EDX, 25, SAVES_NOTHING);
    FEATURE(fSSE2, 1, 0, EDX, 26, SAVES_NOTHING);
    FEATURE(fHT, 1, 0, EDX, 28, SAVES_NOTHING);

    FEATURE(fSSE3, 1, 0, ECX, 0, SAVES_NOTHING);
    FEATURE(fCLMUL, 1, 0, ECX, 1, SAVES_NOTHING);
    FEATURE(fSSSE3, 1, 0, ECX, 9, SAVES_NOTHING);
    FEATURE(fFMA, 1, 0, ECX, 12, SAVES_AVX);
    FEATURE(fSSE4_1, 1, 0, ECX, 19, SAVES_NOTHING);
    FEATURE(fSSE4_2, 1, 0, ECX, 20, SAVES_NOTHING);
    FEATURE(fPOPCNT, 1, 0, ECX, 23, SAVES_NOTHING);
    FEATURE(fAES, 1, 0, ECX, 25, SAVES_NOTHING);
    FEATURE(fAVX, 1, 0, ECX, 28, SAVES_AVX);
    FEATURE(fF16C, 1, 0, ECX, 29, SAVES_AVX);
    FEATURE(fHV, 1, 0, ECX, 31, SAVES_NOTHING);

    FEATURE(fBMI1, 7, 0, EBX, 3, SAVES_NOTHING);
    FEATURE(fAVX2, 7, 0, EBX, 5, SAVES_AVX);
    FEATURE(fBMI2, 7, 0, EBX, 8, SAVES_NOTHING);
    FEATURE(fERMS, 7, 0, EBX, 9, SAVES_NOTHING);
    FEATURE(fRTM, 7, 0, EBX, 11, SAVES_NOTHING);
    FEATURE(fAVX512F, 7, 0, EBX, 16, SAVES_AVX512);
    FEATURE(fAVX512DQ, 7, 0, EBX, 17, SAVES_AVX512);
    FEATURE(fADX, 7, 0, EBX, 19, SAVES_NOTHING);
    FEATURE(fAVX512_IFMA, 7, 0, EBX, 21, SAVES_AVX512);
    FEATURE(fFLUSHOPT, 7, 0, EBX, 23, SAVES_NOTHING);
    FEATURE(fCLWB, 7, 0, EBX, 24, SAVES_NOTHING);
    FEATURE(fAVX512PF, 7, 0, EBX, 26, SAVES_AVX512);
    FEATURE(fAVX512ER, 7, 0, EBX, 27, SAVES_AVX512);
    FEATURE(fAVX512CD, 7, 0, EBX, 28, SAVES_AVX512);
    FEATURE(fSHA, 7, 0, EBX, 29, SAVES_NOTHING);
    FEATURE(fAVX512BW, 7, 0, EBX, 30, SAVES_AVX512);
    FEATURE(fAVX512VL, 7, 0, EBX, 31, SAVES_AVX512);

    FEATURE(fAVX512_VBMI, 7, 0, ECX, 1, SAVES_AVX512);
    FEATURE(fPKU, 7, 0, ECX, 3, SAVES_NOTHING);
    FEATURE(fOSPKE, 7, 0, ECX, 4, SAVES_NOTHING);
    FEATURE(fAVX512_VBMI2, 7, 0, ECX, 6, SAVES_AVX512);
    FEATURE(fCET_SS, 7, 0, ECX, 7, SAVES_NOTHING);
    FEATURE(fGFNI, 7, 0, ECX, 8, SAVES_NOTHING);
    FEATURE(fAVX512_VAES, 7, 0, ECX, 9, SAVES_AVX512);
    FEATURE(fAVX512_VPCLMULQDQ, 7, 0, ECX, 10, SAVES_AVX512);
    FEATURE(fAVX512_VNNI, 7, 0, ECX, 11, SAVES_AVX512);
    FEATURE(fAVX512_BITALG, 7, 0, ECX, 12, SAVES_AVX512);
    FEATURE(fAVX512_VPOPCNTDQ, 7, 0, ECX, 14, SAVES_AVX512);
    FEATURE(fRDPID, 7, 0, ECX, 22, SAVES_NOTHING);

    FEATURE(fFSRM, 7, 0, EDX, 4, SAVES_NOTHING);
    FEATURE(fSERIALIZE, 7, 0, EDX, 14, SAVES_NOTHING);
    FEATURE(fCET_IBT, 7, 0, EDX, 20, SAVES_NOTHING);
    FEATURE(fAVX512_FP16, 7, 0, EDX, 23, SAVES_AVX512);

    FEATURE(fSHA512, 7, 1, EAX, 0, SAVES_AVX);
    FEATURE(fAVX_IFMA, 7, 1, EAX, 23, SAVES_AVX);
    FEATURE(fAPX_F, 7, 1, EDX, 21, SAVES_APX);
    features->fAVX10_1 = avx10_version(saved) >= 1;
    features->fAVX10_2 = avx10_version(saved) >= 2;

    FEATURE(fLZCNT, extended, 0, ECX, 5, SAVES_NOTHING);
    FEATURE(fSSE4A, extended, 0, ECX, 6, SAVES_NOTHING);
    FEATURE(fAMD_3DNOW_PREFETCH, extended, 0, ECX, 8, SAVES_NOTHING);
    FEATURE(fRDTSCP, extended, 0, EDX, 27, SAVES_NOTHING);

    FEATURE(fTSCINV_BIT, power, 0, EDX, 8, SAVES_NOTHING);
    features->fTSCINV = features->fTSCINV_BIT;
    /* All processors with AVX gain from VZEROUPPER but the Xeon Phi, which alone has AVX-512ER. */
    features->fVZEROUPPER = features->fAVX && !features->fAVX512ER;

    /*
     * HotSpot 25 takes all of AVX-512 for granted where there is AVX10, the Xeon Phi's two parts as
     * well (java -Xlog:os+cpu shows them), and -march=native asks the image for what HotSpot saw.
     * No such processor has them and no compiler of the JDK emits them, so they must not keep the
     * image from starting where it was built.
     */
    if (features->fAVX10_1) {
        features->fAVX512PF = features->fAVX512ER = 1;
    }
}
